import type { DialectName } from "../../../../wire";
import type { Up } from "../../../provider/stack";
import { Stack } from "../../../provider/stack";
import { World } from "../../../provider/world";
import { temporaryFolder } from "../../../tools/temporary-folder";
import { ask } from "../world/plane-view";
import { Killed, type ProcessOptions, ProviderProcess, type Fault } from "../world/provider-process";
import {
  changed,
  firstDeclaration,
  inputsOf,
  type Change,
  type Declaration,
  type Folders,
} from "./declaration";
import { actOn, noForeign, type Foreign } from "./foreign";
import type { Action, ForeignAction, History } from "./history";
import { observe, type Observed } from "./observed";
import { differingFields, ResourceRecord } from "./record";

/** Figures about all histories in a test run. */
export const figures = {
  histories: 0,
  updates: 0,
  "failed updates": 0,
  revisions: 0,
  "injected faults": 0,
  "external changes": 0,
  "external changes during an update": 0,
  "replaced deployments": 0,
  adoptions: 0,
};

/** A stack with one resource. */
interface Participant {
  stack: Stack;
  declared: Declaration;
  record: ResourceRecord;
}

type UpAction = Extract<Action, { do: "up" }>;

/** Control planes by dialect. Each is used for several consecutive histories, because starting one is slow. */
const planes = new Map<DialectName, { world: World; histories: number }>();

/** Runs a history. @throws Error that describes the violated guarantee */
export async function run(history: History): Promise<void> {
  const { dialect } = history;
  const plane = planes.get(dialect) ?? { world: await World.start({ dialect }), histories: 0 };
  planes.delete(dialect);
  const { world } = plane;
  try {
    await new Run(world, history).play();
    for (const { id } of await observe(world)) await ask(world, "DELETE", `/v2/deployments/${id}`);
    world.admin.clearFaults();
    world.requireNoSecrets();
    figures.histories += 1;
    plane.histories += 1;
  } catch (error) {
    plane.histories = historiesPerPlane;
    throw error;
  } finally {
    if (plane.histories < historiesPerPlane) planes.set(dialect, plane);
    else await world.end();
  }
}

const historiesPerPlane = 50;

/** Discards the control planes. They stop with the test that started them. */
export function forgetPlanes(): void {
  planes.clear();
}

/** Folders with the two versions of a source. Histories never change these folders. */
const folders: Folders = { "1": sourceFolder("1"), "2": sourceFolder("2") };

function sourceFolder(version: string): string {
  return temporaryFolder({
    "langgraph.json": '{"graphs": {"agent": "./graph.mjs:graph"}}',
    "graph.mjs": version,
  });
}

class Run {
  private readonly participants: Participant[];
  private there: Observed[] = [];
  /** The resource that most recently created or adopted each deployment. */
  private readonly owners = new Map<string, ResourceRecord>();
  /** Number of rollouts that are set up to fail and have not failed yet. */
  private failures = 0;

  constructor(
    private readonly world: World,
    private readonly history: History,
  ) {
    this.participants = history.stacks.map((change, place) => {
      const name = place === 0 ? "dev" : "prod";
      const urn = `urn:pulumi:${name}::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent`;
      return {
        stack: new Stack(world, world.host(), urn),
        declared: this.changed(firstDeclaration, change),
        record: new ResourceRecord(history.dialect),
      };
    });
  }

  async play(): Promise<void> {
    for (const action of this.history.actions) await this.act(action);
    for (const participant of this.participants) await this.conclude(participant);
  }

  private changed(declared: Declaration, change: Change): Declaration {
    return changed(declared, change, this.history.dialect);
  }

  private async act(action: Action): Promise<void> {
    const participant = "who" in action ? this.participants[action.who ?? 0]! : this.participants[0]!;
    switch (action.do) {
      case "up":
        participant.declared = this.changed(participant.declared, action.change);
        return this.up(participant, action);
      case "refresh":
        return this.refresh(participant, action.fault);
      case "destroy":
        return this.destroy(participant, action.fault);
      case "lose":
        participant.stack.lose();
        participant.record.forget();
        return;
      case "foreign": {
        const there =
          this.there.find(({ identity }) => identity === nameOf(action.identity, false)) ?? this.there[0];
        if (there) await this.foreign(there, action.action);
        return;
      }
      case "create by hand":
        await this.createByHand(action.identity);
        return;
      case "wait":
        await this.world.clock.advance(action.seconds * 1000);
    }
  }

  /** Performs an action of another actor and records it for the resource that owns the deployment. */
  private async foreign(there: Observed, action: ForeignAction): Promise<Foreign> {
    figures["external changes"] += 1;
    const result = await actOn(this.world, this.history.dialect, there, action);
    for (const { record } of this.participants)
      if (record.deployment === there.id) record.noteForeign(result);
    this.there = await observe(this.world);
    return result;
  }

  private async createByHand(identity: "one" | "two", byAgent = false): Promise<Observed | undefined> {
    const name = nameOf(identity, byAgent);
    if (this.there.some((one) => one.identity === name)) return undefined;
    const isService = this.history.dialect === "langsmith";
    const environment = identity === "one" ? "production" : "staging";
    // A deployment that is being deleted may still use the name.
    await ask(this.world, "POST", "/v2/deployments", {
      ...(byAgent ? { agent: { agent_id: "support", environment } } : { name: identity }),
      source: "github",
      source_config: {
        repo_url: "https://git.example.com/a.git",
        deployment_type: isService ? "dedicated" : "prod",
        build_on_push: false,
      },
      source_revision_config: {
        repo_ref: "theirs",
        [isService ? "langgraph_config_path" : "graph_config_path"]: "langgraph.json",
      },
      secrets: [{ name: "THEIRS", value: "theirs" }],
    }).catch(() => undefined);
    this.there = await observe(this.world);
    return this.there.find((one) => one.identity === name);
  }

  /** Starts a provider in a new process. */
  private begin(
    { stack }: Participant,
    fault?: Fault,
    beforeRequest?: ProcessOptions["beforeRequest"],
  ): ProviderProcess {
    const env = { ...this.world.environment, AGENTSERVER_DIALECT: this.history.dialect };
    const process = new ProviderProcess(this.world, {
      env,
      limits: this.history.limits,
      fault,
      beforeRequest,
    });
    stack.host = process.provider;
    return process;
  }

  /** Runs `pulumi preview` and then `pulumi up`. */
  private async up(participant: Participant, { fault, meanwhile, fails }: Omit<UpAction, "do" | "change">) {
    const { stack, record, declared } = participant;
    const { dialect } = this.history;
    const inputs = inputsOf(declared, dialect, folders);
    const wasKnown = record.isKnown;
    const wasIncomplete = stack.incomplete;
    let preview: { changes?: boolean; replaces?: string[] } | undefined;
    let announcesRevision = false;
    if (wasKnown) {
      this.begin(participant);
      const { said } = this.world.log;
      const { length } = said;
      preview = await stack.preview(inputs);
      announcesRevision = said
        .slice(length)
        .some(({ message }) => /(needs|creates) a new revision/.test(message));
    }
    // A preview cannot determine whether there are secrets to clear.
    const isUndisturbed =
      record.tainted.size === 0 &&
      !record.isInterrupted &&
      !record.hasRevisionOfOthers &&
      !wasIncomplete &&
      !(declared.secrets && record.hasUnmanagedSecrets);
    if (fails) {
      this.failures += 1;
      this.world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
    }
    let foreign = noForeign();
    let acted = false;
    let changedMeanwhile: string | undefined;
    const identity = nameOf(declared.identity, declared.byAgent);
    let before = this.there;
    const own = before.find(({ id }) => id === record.deployment);
    const process = this.begin(participant, fault, async (count, method) => {
      if (meanwhile?.at !== count) return;
      // No client can detect a change to the environment between its last read and a write.
      if (method !== "GET" && changesEnvironment(meanwhile.action)) return;
      const there = (await observe(this.world)).find((one) => one.identity === identity);
      if (meanwhile.action.does === "create") {
        if (there) return;
        const made = await this.createByHand(declared.identity, declared.byAgent);
        if (made) before = [...before, made];
        acted = made !== undefined;
        return;
      }
      if (!there) return;
      figures["external changes during an update"] += 1;
      const result = await actOn(this.world, dialect, there, meanwhile.action);
      const isOther = this.participants.some(
        (one) => one.record !== record && one.record.deployment === there.id,
      );
      for (const other of this.participants)
        if (other.record !== record && other.record.deployment === there.id) other.record.noteForeign(result);
      acted = true;
      if (isOther) foreign = { ...noForeign(), revisions: result.revisions, fields: result.fields };
      else foreign = result;
      changedMeanwhile = there.id;
    });
    // The creator of a revision is unknown without its source.
    if (fault?.kind === "lost" && this.history.limits.hides?.includes("source_revision_config"))
      record.allowAnother();
    record.allow(declared);
    const said = this.world.log.said.length;
    const up: Up = await stack.up(inputs).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
      return { step: "refused" as const, failure: error, checkFailures: [] };
    });
    const isStruck = process.struck;
    figures.updates += 1;
    figures["injected faults"] += Number(isStruck);
    this.there = await observe(this.world);
    const isKilled = up.failure instanceof Killed;
    const failure = up.checkFailures[0] ? new Error(JSON.stringify(up.checkFailures)) : up.failure;
    const code = codeOf(failure);
    if (code === "rollout_failed") {
      this.failures -= 1;
      record.allowAnother();
    }
    figures["failed updates"] += Number(failure !== undefined);
    figures["replaced deployments"] += Number(up.step === "replace");

    const created = this.there.filter(({ id }) => !before.some((one) => one.id === id)).map(({ id }) => id);
    const newRevisions = this.there.flatMap(({ id, revisions }) => {
      const known = before.find((one) => one.id === id)?.revisions ?? [];
      return revisions
        .map((revision) => revision.id)
        .filter((one) => !known.some((old) => old.id === one) && !foreign.revisions.includes(one));
    });
    figures.revisions += newRevisions.length;
    const target = this.there.find((one) => one.identity === identity);
    // Another stack may undo an adoption after its next refresh.
    if (declared.adopt === "always")
      for (const other of this.participants)
        if (other.record !== record && other.record.deployment === target?.id) other.record.allowAnother();
    const isAdoption =
      up.step === "create" && !failure && target !== undefined && !created.includes(target.id);
    figures.adoptions += Number(isAdoption);
    if (created.length > 0 || up.step === "replace") record.allowReplacement(declared);
    if (isAdoption) record.allowReplacement(declared);
    const tooMany = acted ? 0 : record.spend(newRevisions);
    if (acted) record.spend([]);
    for (const id of newRevisions) record.revisions.add(id);
    promise(tooMany === 0, `${newRevisions.length} revisions were created, ${tooMany} too many`);
    promise(created.length <= 1, `${created.length} deployments were created`);

    this.requireUntouched(participant, before, target, changedMeanwhile);
    this.requireForeignVariables(participant, own, foreign);
    this.requireOwnNeverForeign(participant, said);

    if (!failure) {
      if (preview && !acted && !isStruck) {
        const planned = preview.replaces?.length
          ? "replace"
          : preview.changes || wasIncomplete
            ? "update"
            : "same";
        promise(up.step === planned, `the preview showed ${planned}, and the up did ${up.step}`);
      }
      if (preview && !acted && !isStruck && isUndisturbed && up.step === "update")
        promise(
          announcesRevision === newRevisions.length > 0,
          `the preview announced ${announcesRevision ? "a" : "no"} revision, and the up created ${newRevisions.length}`,
        );
      // The next `up` deletes the remaining deployment of a replacement.
      const writes = process.shown.writes.filter((write) => !write.startsWith("DELETE"));
      promise(up.step !== "same" || writes.length === 0, `an up without changes sent ${writes.join()}`);
      if (foreign.isDeleted && !target) {
        record.deployment ??= changedMeanwhile;
        record.settle(declared);
        return;
      }
      // Without a request, the provider cannot detect that another actor has deleted or adopted the deployment.
      const isThere = this.there.some(({ id }) => id === record.deployment);
      if (up.step === "same" && (!isThere || this.isTakenOver(record))) return;
      promise(target, `no deployment ${identity} after an up`);
      if (wasKnown && up.step !== "replace")
        promise(target.id === record.deployment, "an update went to another deployment");
      if (record.deployment !== undefined && record.deployment !== target.id)
        record.orphans.delete(record.deployment);
      if (isAdoption) this.requireMayAdopt(participant, target);
      const isClaimed = own?.tag !== undefined && !this.history.limits.secrets;
      if (this.isTakenOver(record) && isClaimed)
        promise(declared.adopt === "always", "another stack's deployment was changed");
      this.owners.set(target.id, record);
      if (up.step === "create" || up.step === "replace") {
        record.synced = [];
        record.tainted.clear();
      }
      for (const field of foreign.fields) record.tainted.add(field);
      const wrong = record.missing(declared, target, foreign.fields);
      promise(wrong.length === 0, `after ${up.step}: ${wrong.join("; ")}`);
      record.deployment = target.id;
      record.orphans.delete(target.id);
      for (const id of record.orphans)
        if (up.step === "replace")
          promise(
            !this.there.some((one) => one.id === id && created.includes(id)),
            "a replacement left a deployment",
          );
      record.settle(declared);
      if (acted) record.noteForeign(foreign);
      if (!acted) await this.requireRest(participant, "after an up");
      return;
    }

    if (!isKilled) this.requireExcused(participant, failure, { isStruck, acted, before, foreign });
    // The deletion at the end of a replacement may fail although the new deployment is in the stack.
    const resumed = [...record.orphans].find((id) => id === target?.id && id !== record.deployment);
    const replacement = created[0] ?? resumed;
    const isReplaced = replacement !== undefined && stack.id === replacement;
    const hasState = isReplaced || (!isKilled && up.failure?.id !== undefined);
    if (replacement !== undefined) {
      // A replaced deployment that still exists is deleted by the next successful `up`.
      if (record.deployment !== undefined) record.orphans.add(record.deployment);
      this.owners.set(replacement, record);
      if (hasState) {
        record.deployment = replacement;
        record.orphans.delete(replacement);
      } else record.orphans.add(replacement);
    }
    // An adoption that was killed may already have written the tag.
    const oldTag = before.find(({ id }) => id === target?.id)?.tag;
    const isTagWritten = target?.tag !== undefined && target.tag !== oldTag;
    if (target && declared.adopt === "always" && (hasState || isTagWritten))
      this.owners.set(target.id, record);
    if (hasState) {
      record.deployment ??= target?.id;
      record.fail(declared, target, foreign.fields);
      if (code === "rollout_failed" && !isStruck) record.synced = [declared];
    } else if (stack.id === undefined) record.forget();
    else if (isKilled) record.interrupt(declared);
    else if (!isStruck && !acted)
      promise(
        own === undefined ||
          isSame(
            own,
            this.there.find(({ id }) => id === own.id),
          ),
        `a failed up changed the deployment without keeping its state: ${failure.message}`,
      );
    if (acted) record.noteForeign(foreign);
    if (foreign.isDeleted) record.tainted.add("deleted");
  }

  private async refresh(participant: Participant, fault?: Fault): Promise<void> {
    const { stack, record } = participant;
    if (!record.isKnown) return;
    const process = this.begin(participant, fault);
    const failure = await stack.refresh().then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    promise(process.shown.writes.length === 0, "a refresh sent a write");
    if (failure) {
      promise(process.struck, `refresh failed: ${failure.message}`);
      return;
    }
    const there = this.there.find(({ id }) => id === record.deployment);
    promise(
      (stack.id !== undefined) === (there !== undefined),
      `refresh ${there ? "lost what is there" : "kept what is gone"}`,
    );
    if (!there) return record.forget();
    record.allowCorrection();
    for (const field of [...record.tainted]) if (this.isReported(field)) record.tainted.delete(field);
  }

  /** True if the server reports a field completely. */
  private isReported(field: string): boolean {
    const { secrets, hides } = this.history.limits;
    if (field.startsWith("env.")) return secrets === undefined;
    return hides === undefined;
  }

  private async destroy(participant: Participant, fault?: Fault): Promise<void> {
    const { stack, record } = participant;
    if (!record.isKnown) return;
    const before = this.there;
    const process = this.begin(participant, fault);
    const failure = await stack.destroy().then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    this.there = await observe(this.world);
    for (const { id } of before)
      if (id !== record.deployment && !record.orphans.has(id))
        promise(
          this.there.some((one) => one.id === id),
          "a destroy deleted another deployment",
        );
    if (failure) {
      promise(process.struck, `destroy failed: ${failure.message}`);
      return;
    }
    const isThere = this.there.some(({ id }) => id === record.deployment);
    const wasThere = before.some(({ id }) => id === record.deployment);
    if (this.isTakenOver(record) && wasThere && this.history.limits.secrets === undefined)
      promise(isThere, "a destroy deleted a deployment that another stack owns");
    else if (!this.isTakenOver(record)) promise(!isThere, "destroy left its deployment");
    record.deployment = undefined;
    record.forget();
  }

  /** Checks that, without further faults, an `up` applies the declaration and a destroy deletes the deployment. */
  private async conclude(participant: Participant): Promise<void> {
    const { record, stack } = participant;
    this.world.admin.steer({});
    this.failures = 0;
    await this.world.clock.advance(10 * 60_000);
    this.there = await observe(this.world);
    if (this.history.refreshes) await this.refresh(participant);
    await this.up(participant, {});
    if (!record.isKnown || stack.incomplete) return;
    await this.up(participant, {});
    if (this.isTakenOver(record)) return;
    await this.destroy(participant);
  }

  /** True if another stack has adopted the deployment. */
  private isTakenOver(record: ResourceRecord): boolean {
    const owner = this.owners.get(record.deployment ?? "");
    return owner !== undefined && owner !== record;
  }

  /** Checks that deployments of other owners do not change, except one that the declaration may adopt. */
  private requireUntouched(
    { record, declared }: Participant,
    before: Observed[],
    target: Observed | undefined,
    changedMeanwhile: string | undefined,
  ): void {
    for (const old of before) {
      if (old.id === record.deployment || record.orphans.has(old.id)) continue;
      if (old.id === changedMeanwhile || (old.id === target?.id && declared.adopt === "always")) continue;
      const now = this.there.find(({ id }) => id === old.id);
      promise(isSame(old, now), `deployment ${old.identity}, which this stack does not own, was changed`);
    }
  }

  /** Checks that variables that the program does not manage keep the values that other actors assigned. */
  private requireForeignVariables(
    { record, declared }: Participant,
    own: Observed | undefined,
    foreign: Foreign,
  ): void {
    const now = own && this.there.find(({ id }) => id === own.id);
    if (!own || !now) return;
    for (const name of record.foreignVariables(declared, own)) {
      const expected = Object.hasOwn(foreign.variables, name)
        ? foreign.variables[name]
        : own.fields[`env.${name}`];
      const found = now.fields[`env.${name}`] ?? null;
      const what = `${name}, which the program does not manage, is ${JSON.stringify(found)}`;
      promise(found === expected, `${what}, not ${JSON.stringify(expected)}`);
    }
    for (const [name, value] of Object.entries(foreign.variables)) {
      const isManaged = declared.secrets !== undefined || declared.variables?.[name] !== undefined;
      const wasDeclared = record.synced.some(
        (one) => one.secrets?.[name] !== undefined || one.variables?.[name] !== undefined,
      );
      if (value === null || isManaged || wasDeclared || record.synced.some(({ secrets }) => secrets))
        continue;
      promise(
        now.fields[`env.${name}`] === value,
        `${name}, which others rotated during an up, is ${JSON.stringify(now.fields[`env.${name}`])}`,
      );
    }
  }

  /** Checks that no message reports a revision of this resource as a foreign revision. */
  private requireOwnNeverForeign({ record }: Participant, since: number): void {
    for (const { message, severity } of this.world.log.said.slice(since)) {
      // The state does not show whether an interrupted update created it.
      if (/by an interrupted update/.test(message)) continue;
      if (severity === "status" || !/another (actor|stack)|not created by/i.test(message)) continue;
      const [, named] = /[Rr]evision ([0-9a-f-]{36})/.exec(message) ?? [];
      promise(
        named === undefined || !record.revisions.has(named),
        `an own revision is reported as foreign: ${message}`,
      );
    }
  }

  private requireMayAdopt({ record, declared }: Participant, target: Observed): void {
    const isOwn = record.orphans.has(target.id) || record.deployment === target.id;
    promise(
      isOwn || declared.adopt === "always",
      `adopt: "${declared.adopt}" adopted a deployment that this stack does not own`,
    );
  }

  /** Checks that a failure was caused by a fault, a conflict, or another actor. */
  private requireExcused(
    { record, declared }: Participant,
    failure: Error,
    {
      isStruck,
      acted,
      before,
      foreign,
    }: { isStruck: boolean; acted: boolean; before: Observed[]; foreign: Foreign },
  ): void {
    const code = codeOf(failure);
    const identity = nameOf(declared.identity, declared.byAgent);
    const isHeld = before.some((one) => one.identity === identity && one.id !== record.deployment);
    const isGone = record.isKnown && !before.some(({ id }) => id === record.deployment);
    const isUntagged = before.some(
      ({ id, identity: name, tag }) => tag === undefined && (id === record.deployment || name === identity),
    );
    const isHidden = this.history.limits.secrets !== undefined && declared.secrets === undefined;
    const isExcused =
      isStruck ||
      acted ||
      (code === "immutable_field" && isHeld) ||
      (code === "name_conflict" && (isHeld || this.isTakenOver(record))) ||
      (code === "deployment_gone" && (isGone || foreign.isDeleted)) ||
      (code === "rollout_failed" && this.failures >= 0) ||
      // Without the ownership tag, the server may not report the actual values, which must not be lost.
      (code === "bad_configuration" && isUntagged && declared.secrets === undefined) ||
      isHidden;
    promise(isExcused, `an up failed: ${failure.message} (${code})`);
  }

  /** Checks that a second run of the same program does not change anything. */
  private async requireRest(participant: Participant, when: string): Promise<void> {
    this.begin(participant);
    const inputs = inputsOf(participant.declared, this.history.dialect, folders);
    const { changes } = await participant.stack.preview(inputs);
    promise(changes !== true, `a preview ${when} is not empty: ${this.world.log.said.at(-1)?.message}`);
  }
}

/** Returns the name of a deployment in the server's list. */
function nameOf(identity: "one" | "two", byAgent: boolean): string {
  if (!byAgent) return identity;
  return `agent ${identity === "one" ? "production" : "staging"}`;
}

function isSame(old: Observed, now: Observed | undefined): boolean {
  if (!now) return false;
  return (
    differingFields(old.fields, now.fields).length === 0 &&
    old.tag === now.tag &&
    old.revisions.length === now.revisions.length
  );
}

function codeOf(failure: Error | undefined): string | undefined {
  return failure && /^agentserver (\w+)$/.exec(String(failure))?.[1];
}

function changesEnvironment({ does }: ForeignAction): boolean {
  return does === "set variable" || does === "replace environment";
}

/** @throws Error that describes the violated guarantee */
function promise(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(what);
}
