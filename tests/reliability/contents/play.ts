import { v5 } from "./uuid";
import { itemId, same, type Stored } from "./agent-server";
import { Stack, type Up } from "../../provider/stack";
import { changed, chosenIds, type Action, type Program, type Scenario, type Who } from "./scenario";
import { Killed, type Fault, type Kind, type ProviderProcess, World } from "./world";

/** The actor that created an object, or that adopted it last. */
type Owner = Who | "others";

/** Known facts about an object. They are derived from the actions, never from the state of a stack. */
interface Entry {
  owner: Owner;
  /** True if another actor has changed the object's content and no command has read the content since. */
  edited: boolean;
  /**
   * True if the other stack declares the same store item with the same value, so that neither stack can tell who owns
   * it.
   */
  shared?: true;
}

interface Resource {
  who: Who;
  stack: Stack;
  program: Program;
  /** Location and last declaration of the stack's object. */
  held: { url: string; ids: string[]; program: Program } | undefined;
  /** True if another actor has deleted the resource's objects and no refresh has detected the deletion yet. */
  lost: boolean;
  /** True if a command failed after it may have written something. */
  unfinished: boolean;
  /** True if the resource's URN has changed since the resource was created. */
  renamed: boolean;
}

type Snapshot = Map<string, string>;

export const counts = { histories: 0, commands: 0, updates: 0, faults: 0, kills: 0, rejected: 0 };

/** True for the key of an item in which a resource records its store items. */
function isRecord(key: string): boolean {
  return key.includes(' item [["pulumi-agentserver"');
}

/** Throws unless a guarantee was kept. */
function promise(kept: boolean, text: string): void {
  if (!kept) throw new Error(text);
}

/** Plays a scenario and checks the guarantees after each action. */
export class Play {
  private readonly world = new World();
  private readonly entries = new Map<string, Entry>();
  private existing = new Set<string>();
  private readonly resources: [Resource, Resource];
  private readonly kind: Kind;
  /** True while another actor has duplicated or enabled crons. */
  private duplicated = false;
  /** True if two crons of one resource were active at the same time. */
  private wasDouble = false;

  constructor(private readonly scenario: Scenario) {
    this.kind = scenario.kind;
    this.resources = [this.resource(0), this.resource(1)];
    this.note("others");
  }

  async run(): Promise<void> {
    for (const [at, action] of this.scenario.actions.entries())
      await this.take(action).catch((error: unknown) => {
        if (error instanceof Error) error.message = `action ${at + 1} (${action.do}): ${error.message}`;
        throw error;
      });
    for (const resource of this.resources) await this.conclude(resource);
    counts.histories += 1;
  }

  private async take(action: Action): Promise<void> {
    if (action.do === "replace the deployment") {
      const { url } = this.world.place(action.place);
      this.world.replace(action.place);
      this.note("others");
      for (const one of this.resources) if (one.held?.url === url) one.lost = true;
      return;
    }
    const resource = this.resources[action.who];
    switch (action.do) {
      case "up":
        resource.program = changed(resource.program, action.change);
        await this.up(resource, action.fault);
        return;
      case "refresh":
        return this.refresh(resource, action.fault);
      case "destroy":
        return this.destroy(resource, action.fault);
      case "command on the other control plane":
        return this.onOtherPlane(resource, action.command);
      case "rename":
        return this.rename(resource);
      case "forget":
        // The tag of the resource is now derived from the URN again, and no longer from the state.
        if (resource.renamed)
          for (const entry of this.entries.values()) if (entry.owner === action.who) entry.owner = "others";
        this.duplicated = true;
        resource.stack.lose();
        resource.held = undefined;
        resource.lost = false;
        return;
      default:
        this.others(resource, action.do);
        this.note("others");
    }
  }

  /** Runs `pulumi up` and checks the result. */
  private async up(resource: Resource, fault?: Fault): Promise<Up> {
    counts.updates += 1;
    const { stack, program, held } = resource;
    const hasPending = stack.pending.length > 0;
    const idBefore = stack.id;
    const process = this.begin(resource, fault);
    const before = this.snapshot();
    const mayFail = this.mayFail(resource);
    const firstLine = this.world.log.said.length;
    const up = await stack.up(this.inputs(resource)).catch((error: unknown): Up => {
      if (!(error instanceof Killed)) throw error;
      return { step: "refused", failure: error, checkFailures: [] };
    });
    const isDone = up.failure === undefined && up.checkFailures.length === 0;
    const moved =
      held &&
      (stack.id === undefined || held.url !== this.place(resource).url || !this.holds(held, stack.id));
    this.judgeOthers(resource, before, program);
    this.noteFault(resource, process, fault);
    if (up.step === "same" && !hasPending)
      promise(process.writes.length === 0, "an up without changes writes");
    const story = () => JSON.stringify(this.world.log.said.slice(firstLine).map(({ message }) => message));
    if (!isDone) {
      counts.rejected += 1;
      resource.unfinished = resource.unfinished || process.writes.length > 0;
      if (stack.id === undefined) resource.held = undefined;
      else if (
        (stack.id !== idBefore && this.ids(resource, stack.id).some((id) => !held?.ids.includes(id))) ||
        (held && this.hasMoved(resource, held))
      )
        resource.held = { url: this.place(resource).url, ids: this.ids(resource, stack.id), program };
      const why = up.failure?.message ?? JSON.stringify(up.checkFailures);
      promise(process.faultOccurred || mayFail !== undefined, `an up fails: ${why}`);
      if (!process.faultOccurred && up.checkFailures.length > 0)
        promise(process.writes.length === 0, "an up that the preview refuses writes");
      return up;
    }
    const ids = this.ids(resource, stack.id!);
    const wasBlind = resource.lost || this.isEdited(resource, ids);
    if (up.step !== "same") this.judgeDuplicates(resource, ids, story());
    if (!(up.step === "same" && wasBlind))
      this.judgeContent(resource, ids, { wasBlind, isWritten: up.step !== "same" }, story);
    if (moved && held) this.judgeMove(resource, held, before);
    if (program.fields["prune"] === false && held?.url === this.place(resource).url)
      for (const id of held.ids) if (!ids.includes(id)) this.release(`${held.url} ${id}`);
    resource.held = { url: this.place(resource).url, ids, program };
    const { server, url } = this.place(resource);
    // Without a request, nothing shows that another resource has adopted the object.
    const isNoticed = (id: string) => up.step !== "same" || this.ownerAt(url, id) === resource.who;
    if (ids.every((id) => server.objects.has(id) && isNoticed(id))) resource.lost = false;
    resource.unfinished = false;
    return up;
  }

  /**
   * Runs `pulumi refresh`, which must write only to delete duplicates and obsolete records, and must find the existing
   * objects.
   */
  private async refresh(resource: Resource, fault?: Fault): Promise<void> {
    const { stack, held } = resource;
    if (stack.id === undefined) return;
    const process = this.begin(resource, fault);
    const before = this.snapshot();
    const exists = held?.ids.some((id) => before.has(`${held.url} ${id}`)) === true;
    const isOwn = held?.ids.every((id) => this.ownerAt(held.url, id) === resource.who) === true;
    const found = await stack.refresh().catch((error: unknown) => error as Error);
    this.judgeOthers(resource, before, undefined);
    this.noteFault(resource, process, fault);
    if (process.faultOccurred) return;
    promise(!(found instanceof Error), `a refresh fails: ${found instanceof Error ? found.message : ""}`);
    // A refresh deletes duplicate crons, and the record of an item that no longer exists.
    const mayDelete = this.kind === "cron" || (this.kind === "storeItem" && found === false);
    if (!mayDelete) promise(process.writes.length === 0, "a refresh writes");
    if (exists && isOwn && this.kind !== "storeItems") promise(found === true, "a refresh loses what exists");
    if (!exists && this.kind !== "storeItems")
      promise(found === false, "a refresh keeps what does not exist");
    for (const id of held?.ids ?? []) {
      const entry = this.entries.get(`${held!.url} ${id}`);
      if (entry) entry.edited = false;
    }
    resource.lost = false;
    if (found === false) resource.held = undefined;
    else if (held?.url === this.place(resource).url)
      this.judgeDuplicates(resource, held.ids, "after a refresh", true);
  }

  /** Runs `pulumi destroy`, which must delete all objects of the resource and no others. */
  private async destroy(resource: Resource, fault?: Fault): Promise<void> {
    const { stack, held } = resource;
    if (stack.id === undefined) return;
    const process = this.begin(resource, fault);
    const before = this.snapshot();
    const hasRuns = this.hasProtectedRuns(resource);
    const failure = await stack.destroy().catch((error: unknown) => error as Error);
    this.judgeOthers(resource, before, this.objectKind === "item" ? held?.program : undefined);
    this.noteFault(resource, process, fault);
    if (failure) {
      resource.unfinished = true;
      promise(process.faultOccurred || hasRuns, `a destroy fails: ${failure.message}`);
      return;
    }
    const left = [...this.snapshot().keys()].filter(
      (key) =>
        held !== undefined &&
        this.entries.get(key)?.owner === resource.who &&
        key.startsWith(`${held.url} `) &&
        (this.kind === "cron" || held.ids.some((id) => key === `${held.url} ${id}`)),
    );
    promise(left.length === 0, `a destroy leaves ${left.join(", ")}`);
    resource.held = undefined;
    resource.lost = false;
    resource.unfinished = false;
  }

  /**
   * Runs commands with another control plane in the configuration. They must not write anything or report a deletion.
   */
  private async onOtherPlane(resource: Resource, command: "up" | "refresh" | "destroy"): Promise<void> {
    const { stack, held } = resource;
    if (stack.id === undefined || held === undefined || held.program.place === "standalone") return;
    if (resource.program.place === "standalone") return;
    const process = this.begin(resource, undefined, 1);
    const { id } = stack;
    const work = command === "up" ? stack.up(this.inputs(resource)) : stack[command]();
    const failure = await Promise.resolve(work).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    promise(process.writes.length === 0, `${command} writes although another control plane is configured`);
    promise(stack.id === id, `${command} loses the resource because another control plane is configured`);
    if (command !== "up")
      promise(failure !== undefined, `${command} succeeds although another control plane is configured`);
  }

  /** Checks that a resource keeps its object when its URN changes. */
  private async rename(resource: Resource): Promise<void> {
    const { stack, held } = resource;
    if (stack.id === undefined) return;
    resource.renamed = true;
    const urn = `${stack.urn}-renamed`.replace("::shop::", "::shop::acme:Team$");
    const next = new Stack(this.world, stack.host, urn);
    const { id, inputs, outputs, incomplete, pending, deletesFirst } = stack;
    Object.assign(next, { id, inputs, outputs, incomplete, pending, deletesFirst });
    resource.stack = next;
    if (
      id === undefined ||
      resource.lost ||
      resource.unfinished ||
      !held ||
      !same(held.program, resource.program)
    )
      return;
    if (
      this.isEdited(resource, held.ids) ||
      held.ids.some((one) => this.ownerAt(held.url, one) !== resource.who)
    )
      return;
    const process = this.begin(resource);
    const before = this.snapshot();
    const up = await next.up(this.inputs(resource));
    this.judgeOthers(resource, before, resource.program);
    promise(
      up.failure === undefined && up.checkFailures.length === 0,
      `a rename fails: ${up.failure?.message}`,
    );
    promise(next.id === id, "a rename gives the resource another id");
    const recreated = process.writes.some(
      ({ method, path }) =>
        (method === "DELETE" && path !== "/store/items") ||
        /^\/(assistants|threads|runs\/crons)\/?$/.test(path),
    );
    const objects = (all: Snapshot) => [...all.keys()].filter((key) => !isRecord(key)).sort();
    const isKept = same(objects(before), objects(this.snapshot()));
    // An update also deletes duplicates.
    promise((!recreated && isKept) || this.duplicated, "a rename creates or deletes something");
  }

  /** Performs an action on the server as another user. */
  private others(resource: Resource, action: Action["do"]): void {
    const { held } = resource;
    const place = this.place(resource);
    const server = place.server;
    const objectKind = this.objectKind;
    if (action === "others create") {
      const [id] = this.targets(resource);
      if (objectKind === "cron" || id === undefined || server.objects.has(id)) return;
      const plain = id.slice(id.indexOf(" ") + 1);
      const fields: Record<string, unknown> =
        objectKind === "item"
          ? {
              namespace: this.namespace(resource),
              key: (JSON.parse(plain) as [string[], string])[1],
              value: { by: "others" },
            }
          : { graph_id: "agent", name: "Theirs", config: {}, context: {}, metadata: { by: "others" } };
      if (objectKind === "thread") delete fields["graph_id"];
      server.put(objectKind, plain, fields);
      return;
    }
    if (!held) return;
    const at = this.world.all.find(([url]) => url === held.url)?.[1];
    const [id] = held.ids;
    const found = id === undefined ? undefined : at?.objects.get(id);
    if (!at || !found) return;
    const entry = this.entries.get(`${held.url} ${id}`)!;
    if (action === "others delete") {
      at.delete(found.kind, found.id);
      for (const one of this.resources)
        if (one.held?.url === held.url && one.held.ids.includes(id!)) one.lost = true;
    } else if (action === "others run") at.threadsWithRuns.add(found.id);
    else if (action === "others duplicate") {
      const copy = at.put("cron", at.newId(), found.fields);
      this.entries.set(`${held.url} cron ${copy.id}`, { owner: entry.owner, edited: false });
      this.existing.add(`${held.url} cron ${copy.id}`);
      this.duplicated = true;
    } else if (found.kind === "item") {
      at.put("item", found.id, { ...found.fields, value: { by: "others" } });
      entry.owner = "others";
      entry.edited = true;
    } else {
      const metadata = { ...(found.fields["metadata"] as object), a: "theirs" };
      const change =
        found.kind === "cron" ? { schedule: "1 1 1 1 *", enabled: true, input: { by: "others" } } : {};
      if (found.kind === "cron") this.duplicated = true;
      const name = found.kind === "assistant" ? { name: "Theirs", context: { by: "others" } } : {};
      at.put(found.kind, found.id, { ...found.fields, ...change, ...name, metadata });
      entry.edited = true;
    }
  }

  /**
   * Runs the final commands, first without a refresh and then with one. They must converge and leave no objects behind.
   */
  private async conclude(resource: Resource): Promise<void> {
    const where = (error: Error) => {
      error.message = `conclusion of ${resource.who}: ${error.message}`;
      throw error;
    };
    await this.up(resource).catch(where);
    await this.refresh(resource).catch(where);
    resource.program = changed(resource.program, {
      adopt: "always",
      ...(this.kind === "thread" && { fields: { forceDelete: true } }),
    });
    const up = await this.up(resource).catch(where);
    promise(
      up.failure === undefined && up.checkFailures.length === 0,
      `the last up fails: ${up.failure?.message} ${JSON.stringify(up.checkFailures)}`,
    );
    for (const after of ["an up", "a refresh"]) {
      if (after === "a refresh") await this.refresh(resource).catch(where);
      const again = await this.up(resource).catch(where);
      promise(
        again.step === "same",
        `there is more to do after ${after}: ${again.failure?.message ?? this.world.log.said.at(-1)?.message}`,
      );
    }
    await this.destroy(resource).catch(where);
    promise(resource.stack.id === undefined, "the last destroy fails");
  }

  // Expectations according to the record

  /** Returns the reason that an `up` without a fault may fail, or `undefined` if it must succeed. */
  private mayFail(resource: Resource): string | undefined {
    const { held, who } = resource;
    const { adopt = "ifOwned" } = this.inputs(resource) as Pick<Program, "adopt">;
    if (resource.lost) return "what it holds was deleted";
    if (this.hasProtectedRuns(resource)) return "the thread has runs";
    const { url } = this.place(resource);
    const server = this.place(resource).server;
    if (adopt !== "always") {
      for (const id of held?.ids ?? []) {
        const owner = this.ownerAt(held!.url, id);
        if (owner !== undefined && owner !== who) return "another owns what it holds";
      }
      for (const id of this.targets(resource)) {
        if (!server.objects.has(id)) continue;
        if (held?.url === url && held.ids.includes(id)) continue;
        const isOwn = this.ownerAt(url, id) === who;
        if (!isOwn || adopt === "never" || this.objectKind === "item") return "something exists";
      }
    }
    return undefined;
  }

  private hasProtectedRuns({ held, program }: Resource): boolean {
    if (this.kind !== "thread" || !held) return false;
    const server = this.world.all.find(([url]) => url === held.url)?.[1];
    const runs = held.ids.some((id) => server?.threadsWithRuns.has(id.slice("thread ".length)) === true);
    return runs && !(held.program.fields["forceDelete"] === true && program.fields["forceDelete"] === true);
  }

  /** Checks that the objects of other owners are unchanged, unless the program adopts them. */
  private judgeOthers({ who, stack, held }: Resource, before: Snapshot, program: Program | undefined): void {
    const after = this.snapshot();
    const targets = program
      ? this.targets(this.resources[who]).map((id) => `${this.place(this.resources[who]).url} ${id}`)
      : [];
    for (const [key, content] of before) {
      const entry = this.entries.get(key)!;
      if (entry.owner === who || entry.shared || after.get(key) === content) continue;
      // A stack with `adopt: "always"` also deletes the items that it declared before a move.
      const isDeclared =
        held?.program.adopt === "always" && held.ids.some((id) => key === `${held.url} ${id}`);
      const mayAdopt =
        (this.objectKind === "item" && program !== undefined && isDeclared) ||
        (program?.adopt === "always" &&
          (isRecord(key) ||
            targets.includes(key) ||
            (stack.id !== undefined && key.endsWith(` ${stack.id}`))));
      const was = entry.owner === "others" ? "others" : `stack ${entry.owner}`;
      promise(
        mayAdopt,
        `${after.has(key) ? "changes" : "deletes"} ${key} of ${was}: ${content} → ${after.get(key)}`,
      );
      // Adopted items are removed from the record of the other resource.
      if (isRecord(key)) continue;
      this.claim(key, who);
      entry.edited = false;
    }
    this.note(who);
  }

  /** Checks that the server has everything that the program declares. */
  private judgeContent(
    resource: Resource,
    ids: string[],
    { wasBlind, isWritten }: { wasBlind: boolean; isWritten: boolean },
    story: () => string,
  ): void {
    const { server, url } = this.place(resource);
    for (const id of ids) {
      const found = server.objects.get(id);
      if (!found && wasBlind) continue;
      promise(found !== undefined, `${id} does not exist after an up that succeeded ${story()}`);
      const entry = this.entries.get(`${url} ${id}`)!;
      if (this.kind !== "storeItem" && this.kind !== "storeItems")
        promise(
          entry.owner === resource.who || resource.program.adopt === "always" || wasBlind,
          `${id} is of ${entry.owner}`,
        );
      // Servers do not report the other fields of an item, which another resource may have written last.
      const isShared = entry.shared === true || entry.owner !== resource.who;
      const isUnread = (field: string) => this.objectKind === "item" && isShared && field !== "value";
      const fields = expected(this.kind, resource.program, found!).filter(([field]) => !isUnread(field));
      // An `up` without changes does not adopt anything.
      if (isWritten) this.claim(`${url} ${id}`, resource.who);
      if (!wasBlind)
        for (const [field, wanted] of fields)
          promise(
            same(sorted(declared(field, found!.fields[field], wanted)), sorted(wanted)),
            `${id} has ${field} ${JSON.stringify(found!.fields[field])} instead of ${JSON.stringify(wanted)}, declared ${JSON.stringify(resource.program.fields)} ${story()}`,
          );
      if (!wasBlind) entry.edited = false;
      this.judgeMetadata(resource, found!, wasBlind, story);
    }
    if (
      this.kind === "storeItems" &&
      !wasBlind &&
      resource.held?.url === url &&
      resource.program.fields["prune"] !== false
    ) {
      const gone = resource.held.ids.filter(
        (id) => !ids.includes(id) && this.ownerAt(url, id) === resource.who,
      );
      for (const id of gone) promise(!server.objects.has(id), `${id} is no longer declared, and stays`);
    }
  }

  private judgeMetadata(
    { program, held, who }: Resource,
    { fields, id }: Stored,
    wasBlind: boolean,
    story: () => string,
  ): void {
    const wanted = program.fields["metadata"] as Record<string, unknown> | undefined;
    if (wanted === undefined || wasBlind) return;
    const found = fields["metadata"] as Record<string, unknown>;
    for (const [key, value] of Object.entries(wanted))
      promise(
        same(found[key], value),
        `${id} has metadata ${key} ${JSON.stringify(found[key])} instead of ${JSON.stringify(value)} ${story()}`,
      );
    const before = held?.program.fields["metadata"] ?? {};
    for (const key of Object.keys(before))
      if (!Object.hasOwn(wanted, key))
        promise(
          (found[key] ?? null) === null,
          `${id} of ${who} keeps the removed metadata ${key} ${story()}`,
        );
  }

  /** Checks that there is at most one cron after an update or a refresh. */
  private judgeDuplicates({ who }: Resource, ids: string[], story: string, isRefresh = false): void {
    if (this.kind !== "cron") return;
    const url = this.place(this.resources[who]).url;
    // A refresh keeps a disabled cron, which may be part of a replacement.
    const own = this.crons(who, url).filter(
      ({ id, fields }) => !isRefresh || fields["enabled"] === true || ids.includes(`cron ${id}`),
    );
    if (ids.some((id) => this.ownerAt(url, id) !== who)) return;
    promise(own.length <= 1, `${own.length} crons of one resource ${story}`);
    if ([0, 1].every((one) => this.crons(one as Who).length <= 1)) this.duplicated = false;
  }

  /** Checks that a moved or replaced object no longer exists at its old location. */
  private judgeMove({ who }: Resource, { url, ids }: NonNullable<Resource["held"]>, before: Snapshot): void {
    const after = this.snapshot();
    for (const id of ids) {
      const key = `${url} ${id}`;
      if (before.has(key) && this.entries.get(key)?.owner === who && !this.entries.get(key)!.edited)
        promise(
          !after.has(key) ||
            this.resources[who].held === undefined ||
            this.targets(this.resources[who]).includes(id),
          `${key} stays after a move`,
        );
    }
  }

  // The record

  private begin({ stack, who }: Resource, fault?: Fault, plane: 0 | 1 = 0): ProviderProcess {
    counts.commands += 1;
    const process = this.world.process(this.kind, { plane, fault });
    stack.host = process.provider;
    this.world.onCarried = ({ isWrite }) => {
      if (isWrite) this.note(who);
      if (isWrite && this.kind === "cron" && !this.duplicated) this.noteActive();
    };
    return process;
  }

  /** Records whether any server has two active crons of the same resource. */
  private noteActive(): void {
    for (const [url] of this.world.all)
      for (const { who } of this.resources)
        if (this.crons(who, url).filter(({ fields }) => fields["enabled"] === true).length > 1)
          this.wasDouble = true;
  }

  /** Returns the crons of a resource on one server, or on all servers. */
  private crons(who: Who, at?: string): Stored[] {
    const servers = this.world.all.filter(([url]) => at === undefined || url === at);
    return servers.flatMap(([url, server]) =>
      server.all("cron").filter(({ id }) => this.ownerAt(url, `cron ${id}`) === who),
    );
  }

  /** Records which actor created each new object. */
  private note(owner: Owner): void {
    const keys = new Set(this.snapshot().keys());
    for (const key of keys) if (!this.existing.has(key)) this.entries.set(key, { owner, edited: false });
    this.existing = keys;
  }

  /** Records that a resource now owns an object, and that any other owner has lost it. */
  private claim(key: string, who: Who): void {
    const entry = this.entries.get(key)!;
    const other = this.resources[who === 0 ? 1 : 0];
    if (entry.owner !== who && entry.owner !== "others" && this.objectKind === "item") entry.shared = true;
    if (entry.owner !== who && other.held?.ids.some((id) => key === `${other.held!.url} ${id}`))
      other.lost = true;
    entry.owner = who;
  }

  /** Records that an object has no owner because a program no longer declares it and does not prune. */
  private release(key: string): void {
    const entry = this.entries.get(key);
    if (entry) entry.owner = "others";
  }

  private snapshot(): Snapshot {
    return new Map(
      this.world.all.flatMap(([url, { objects }]) =>
        // The index and the time to live of an item cannot be read.
        [...objects].map(
          ([id, { kind, fields }]) =>
            [`${url} ${id}`, JSON.stringify(kind === "item" ? fields["value"] : fields)] as const,
        ),
      ),
    );
  }

  private ownerAt(url: string, id: string): Owner | undefined {
    return this.entries.get(`${url} ${id}`)?.owner;
  }

  private isEdited({ held }: Resource, ids: string[]): boolean {
    return (
      held !== undefined &&
      [...ids, ...held.ids].some((id) => this.entries.get(`${held.url} ${id}`)?.edited === true)
    );
  }

  private noteFault(resource: Resource, { faultOccurred }: ProviderProcess, fault?: Fault): void {
    promise(!this.wasDouble, "two crons of one resource are active");
    this.noteLoss(this.resources[resource.who === 0 ? 1 : 0]);
    if (!faultOccurred) return;
    this.noteLoss(resource);
    if (fault?.how.startsWith("killed")) counts.kills += 1;
    else counts.faults += 1;
  }

  /** True if an interrupted move has already deleted the objects at the old location. A move deletes them last. */
  private hasMoved(resource: Resource, { url, ids }: NonNullable<Resource["held"]>): boolean {
    const { server, url: next } = this.place(resource);
    const old = this.world.all.find(([one]) => one === url)?.[1];
    return next !== url && ids.every((id) => server.objects.has(id) && old?.objects.has(id) === false);
  }

  /** Records whether an interrupted command or another resource has deleted objects in the state of the stack. */
  private noteLoss(resource: Resource): void {
    const { held, stack } = resource;
    const server = this.world.all.find(([url]) => url === held?.url)?.[1];
    if (stack.id !== undefined && held?.ids.some((id) => server?.objects.has(id) !== true))
      resource.lost = true;
  }

  // How a program refers to its object

  private get objectKind(): Stored["kind"] {
    return this.kind === "storeItem" || this.kind === "storeItems" ? "item" : this.kind;
  }

  private place({ program }: Resource) {
    return this.world.place(program.place);
  }

  private namespace({ who }: Resource): string[] {
    return this.scenario.contested ? ["team"] : ["team", `stack-${who}`];
  }

  private chosenId({ who }: Resource): string {
    return chosenIds[this.scenario.contested ? 0 : who]!;
  }

  /** Returns the IDs of the objects that an `up` of the program may change. */
  private targets(resource: Resource): string[] {
    const { fields } = resource.program;
    const items = (keys: string[]) => keys.map((key) => `item ${itemId(this.namespace(resource), key)}`);
    if (this.kind === "storeItem") return items([String(fields["key"])]);
    if (this.kind === "storeItems") return items(Object.keys(fields["items"] as object));
    if (this.kind === "cron")
      return this.place(resource)
        .server.all("cron")
        .map(({ id }) => `cron ${id}`)
        .filter((id) => this.ownerAt(this.place(resource).url, id) === resource.who);
    if (fields["chosenId"] === true) return [`${this.objectKind} ${this.chosenId(resource)}`];
    // A derived ID is not known in advance, so any object of this project may conflict with it.
    const { server, url } = this.place(resource);
    return server
      .all(this.objectKind)
      .map(({ id }) => `${this.objectKind} ${id}`)
      .filter((id) => this.ownerAt(url, id) !== "others" && !chosenIds.some((one) => id.endsWith(one)));
  }

  private ids(resource: Resource, id: string): string[] {
    return this.objectKind === "item" ? this.targets(resource) : [`${this.objectKind} ${id}`];
  }

  private holds({ ids }: NonNullable<Resource["held"]>, id: string): boolean {
    return this.objectKind === "item" ? true : ids.includes(`${this.objectKind} ${id}`);
  }

  private inputs(resource: Resource): object {
    const { program } = resource;
    const { chosenId, ...fields } = program.fields;
    const own: Record<string, unknown> = Object.fromEntries(
      Object.entries(fields).filter(([, value]) => value !== undefined),
    );
    if (chosenId === true) own[`${this.objectKind}Id`] = this.chosenId(resource);
    if (this.objectKind === "item") own["namespace"] = this.namespace(resource);
    return structuredClone({
      ...this.place(resource).reference,
      ...own,
      ...(program.adopt && { adopt: program.adopt }),
    });
  }

  private resource(who: Who): Resource {
    const { kind, scenario } = this;
    const type = `pulumi-nodejs:dynamic/agentserver:${kind[0]!.toUpperCase()}${kind.slice(1)}`;
    const name = scenario.contested ? "shared" : `own-${who}`;
    const urn = `urn:pulumi:${who === 0 ? "dev" : "prod"}::shop::${type}::${name}`;
    const stack = new Stack(this.world, this.world.process(kind).provider, urn);
    stack.call = { organization: "acme", backend: "one" };
    return {
      who,
      stack,
      program: scenario.programs[who],
      held: undefined,
      lost: false,
      unfinished: false,
      renamed: false,
    };
  }
}

/** Returns the wire fields whose values the program determines, with these values. */
function expected(kind: Kind, { fields }: Program, { id }: Stored): [string, unknown][] {
  const given = (field: string, wire: string, value = fields[field]): [string, unknown][] =>
    value === undefined ? [] : [[wire, value]];
  switch (kind) {
    case "assistant": {
      const config = fields["config"] as { tags?: string[]; recursionLimit?: number } | undefined;
      const wireConfig = config && {
        ...(config.tags && { tags: config.tags }),
        ...(config.recursionLimit !== undefined && { recursion_limit: config.recursionLimit }),
      };
      return [
        ...given("graph", "graph_id"),
        ...given("name", "name"),
        ...given("description", "description"),
        ...given("context", "context"),
        ...given("config", "config", wireConfig),
      ];
    }
    case "cron":
      return [
        ["assistant_id", v5(String(fields["assistant"]))],
        ...["schedule", "timezone", "enabled", "input", "context", "webhook", "durability"].flatMap((name) =>
          given(name, name),
        ),
        ...given("endTime", "end_time"),
        ...given("onRunCompleted", "on_run_completed"),
      ];
    case "thread": {
      const ttl = fields["ttl"] as { minutes: number; strategy?: string } | undefined;
      return given(
        "ttl",
        "ttl",
        ttl && { ttl: ttl.minutes, ...(ttl.strategy !== undefined && { strategy: ttl.strategy }) },
      );
    }
    case "storeItem":
      return [["value", fields["value"]], ...given("ttl", "ttl"), ...given("index", "index")];
    case "storeItems": {
      const [, key] = JSON.parse(id) as [string[], string];
      return [
        ["value", (fields["items"] as Record<string, unknown>)[key]],
        ...given("ttl", "ttl"),
        ...given("index", "index"),
      ];
    }
  }
}

/** Normalizes a value: sorts keys, and replaces the empty description that servers accept with null. */
function sorted(value: unknown): unknown {
  if (value === "") return null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}

/** Returns the part of a field that a program declares. Omitted parts of `config` keep their values. */
function declared(field: string, found: unknown, wanted: unknown): unknown {
  if (field !== "config" || typeof found !== "object" || found === null) return found ?? null;
  return Object.fromEntries(Object.entries(found).filter(([key]) => Object.hasOwn(wanted as object, key)));
}
