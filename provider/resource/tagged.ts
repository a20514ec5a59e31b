import { AgentServerError } from "../errors";
import { guardedOwner, untilUnchanged } from "./guard";
import { isSameJson } from "./inputs/json";
import { isGiven } from "./inputs/values";
import type { Found, PlanQuestion } from "./kind";
import type { KindState } from "./kind-state";
import type { ManagedState } from "./managed";
import { type FieldRules, merge } from "./merge";
import type { Operation, Result } from "./operation";
import { type Adopt, claim, type Existing, ignoreConflict, removedKeys } from "./ownership/claim";
import { changedTag, type Metadata, ownerIn, ownerOf, ownerTag, recordedOwner } from "./ownership/owner-tag";
import type { Change, Plan } from "./plan";
import type { ServerInputs } from "./server";
import { sendOrDetect } from "./write";

/** Inputs that every tagged kind may have. */
interface TaggedInputs extends ServerInputs {
  adopt?: Adopt | undefined;
  metadata?: Metadata | null | undefined;
}

/** A change to an existing object. */
export interface Patch<Inputs> {
  current: Partial<Inputs>;
  wanted: Inputs;
  /** Names of the fields to change. */
  fields: ReadonlySet<string>;
  /** Metadata to merge into the current metadata, with null for each key to remove; undefined if nothing changes. */
  metadata: Metadata | undefined;
}

/** Replacement for an object that is deleted. */
interface Replacement<Inputs> {
  /** Inputs of the object that is created after the deletion. */
  successor?: Inputs | undefined;
  /** The replacement, if it already exists. */
  replacement?: { id: string; inputs: Inputs } | undefined;
}

/**
 * A kind whose objects may have an ownership tag. The kind implements how objects are found, created, patched, and
 * deleted; {@link taggedOperations} determines when.
 */
export interface TaggedKind<
  Op extends Operation,
  Inputs extends TaggedInputs,
  State extends Inputs & ManagedState,
  Stored,
> {
  /** Title of the kind in messages, for example "Assistant". */
  noun: string;
  /** Alternative that avoids a conflict in a create, for example "use another `assistantId`". */
  alternative: string;
  state: KindState<State>;
  /** The fields that the server may report. */
  rules: FieldRules;
  plan(question: PlanQuestion<Inputs, Partial<Inputs>>): Plan<string>;
  idOf(stored: Stored): string;
  /** Returns the name to display after the ID in messages. */
  nameOf?(stored: Stored): string | null | undefined;
  /** Returns the object's metadata, which contains the ownership tag. Omitted if the API has no field for a tag. */
  metadataOf?(stored: Stored): Metadata | null | undefined;
  /** True for objects that the server creates itself. */
  isOfServer?(stored: Stored): boolean;
  /** Returns the reported fields, with the user's field names: null if empty, undefined if not reported. */
  reported(stored: Stored, state?: State, wanted?: Inputs): object;
  /** Returns the inputs in state, together with other values on the server that this resource still manages. */
  managed?(state: State): Partial<Inputs>;
  /**
   * True if the object of a resource with these inputs keeps earlier values, including its ownership tag, so that an
   * update must not change the tag.
   */
  keepsTag?(inputs: Inputs): boolean;
  /**
   * Returns the outputs of the resource, in addition to its inputs.
   * @param before the state and the object before an update
   */
  outputs?(inputs: Inputs, stored: Stored, op: Op, before?: { state: State; stored: Stored }): Partial<State>;
  /**
   * True if the server accepts duplicates or has no tags, so that a create must search for an existing object before it
   * sends a request.
   */
  searchesFirst?: boolean;
  find(op: Op, id: string): Promise<Stored | undefined>;
  /** Finds an object that a create would conflict with, or that an interrupted create has created. */
  findExisting(op: Op, inputs: Inputs, predecessor: string | undefined): Promise<Stored | undefined>;
  /**
   * Creates the object, with the ownership tag.
   * @throws AgentServerError with status 409 if the object already exists
   */
  create(op: Op, inputs: Inputs, tag: Metadata): Promise<Stored>;
  /** Sends the remaining requests of a create, and returns the completed object. */
  complete?(op: Op, inputs: Inputs, stored: Stored): Promise<Stored>;
  patch(op: Op, stored: Stored, patch: Patch<Inputs>): Promise<Stored>;
  delete(op: Op, stored: Stored, state?: State, replacement?: Replacement<Inputs>): Promise<void>;
}

/**
 * Returns the operations of a tagged kind. Each one reads the object, merges it with the state, plans the changes, and
 * applies exactly these changes.
 */
export function taggedOperations<
  Op extends Operation,
  Inputs extends TaggedInputs,
  State extends Inputs & ManagedState,
  Stored,
>(kind: TaggedKind<Op, Inputs, State, Stored>) {
  const operations = new TaggedOperations(kind);
  const again = <Given extends unknown[], Done>(operation: (...given: Given) => Promise<Done>) => {
    return (...given: Given) => untilUnchanged(() => operation(...given));
  };
  return {
    create: (op: Op, inputs: Inputs, predecessor?: string, pending?: readonly string[]) => {
      const earlier = { hasCreated: false };
      return untilUnchanged(() => operations.create(earlier, op, inputs, predecessor, pending));
    },
    read: operations.read,
    update: again(operations.update),
    delete: again(operations.delete),
    keepsTag: (inputs: Inputs) => kind.keepsTag?.(inputs) === true,
  };
}

class TaggedOperations<
  Op extends Operation,
  Inputs extends TaggedInputs,
  State extends Inputs & ManagedState,
  Stored,
> {
  constructor(private readonly kind: TaggedKind<Op, Inputs, State, Stored>) {}

  /**
   * Creates the object, or adopts an existing one.
   * @param earlier `hasCreated` is true if an earlier attempt created the object, and others changed it before the
   * attempt was completed
   */
  readonly create = async (
    earlier: { hasCreated: boolean },
    op: Op,
    inputs: Inputs,
    predecessor?: string,
    pending: readonly string[] = [],
  ): Promise<Result<State>> => {
    const { kind } = this;
    const find = () => kind.findExisting(op, inputs, predecessor);
    let stored = kind.searchesFirst ? await find() : undefined;
    const lostReplies = { count: 0 };
    if (!stored) {
      const created = await sendOrDetect(op.time, {
        send: () => kind.create(op, inputs, ownerTag(op.resource)).catch(ignoreConflict),
        check: find,
        lostReplies,
      });
      if (created && lostReplies.count === 0) {
        earlier.hasCreated = true;
        const { changes } = this.compare(created, undefined, inputs);
        const complete = () => this.complete(this.guarded(op, created), inputs, created);
        return this.written(op, inputs, { stored: created, changes, isKept: () => true }, complete);
      }
      stored = created ?? (await find());
      if (!stored)
        throw new AgentServerError(
          "name_conflict",
          `The server refused to create the ${kind.noun.toLowerCase()} because it already exists, but the server does not return it. Run the command again.`,
        );
    }
    const existing = this.existing(op, stored, false);
    const { owner } = existing;
    const compared = this.compare(stored, undefined, inputs);
    const isAsWanted = compared.changes.every(({ effect }) => effect === "state");
    // A create whose response was lost has created the object, so `adopt` does not apply.
    const isCreated =
      (earlier.hasCreated || lostReplies.count > 0) &&
      (owner === "this" || (owner === "unreported" && isAsWanted));
    // Without a tag, only the state shows that the object is pending deletion after an earlier replacement.
    const isOwn = owner === "unreported" && pending.includes(kind.idOf(stored));
    const purpose = isOwn ? "update" : "create";
    const claimed = isCreated ? "resume" : claim(op.report, purpose, existing, inputs.adopt);
    const own = this.guarded(op, stored);
    const fixed = compared.changes.filter(({ effect }) => effect === "replace");
    if (fixed.length > 0 && claimed === "resume") {
      op.report.log(
        "info",
        `${existing.title} will be recreated, because the interrupted create used different values.`,
      );
      await kind.delete(own, stored);
      return this.create({ hasCreated: false }, op, inputs, predecessor);
    }
    if (fixed.length > 0) throw this.immutable(`${existing.title} cannot be adopted`, fixed);
    const isKept = (now: Stored) =>
      claimed === "resume" || isOwn || this.existing(op, now, false).owner === "this";
    return this.written(op, inputs, { stored, changes: compared.changes, isKept }, async () =>
      this.apply(own, await this.complete(own, inputs, stored), inputs, compared),
    );
  };

  /**
   * Writes to an existing object, and returns the result. If a write fails, the state contains the values that are in
   * effect, so that the next update sends the remaining ones.
   * @param isKept true if the state must keep the object after the failure
   */
  private async written(
    op: Op,
    inputs: Inputs,
    {
      stored,
      changes,
      isKept,
      state,
    }: { stored: Stored; changes: Change[]; isKept: (now: Stored) => boolean; state?: State },
    write: () => Promise<Stored> | Stored,
  ): Promise<Result<State>> {
    const before = state && { state, stored };
    try {
      return this.result(op, inputs, await write(), before);
    } catch (error) {
      if (!AgentServerError.is(error)) throw error;
      const now = await this.kind.find(op, this.kind.idOf(stored)).catch(() => stored);
      if (!now || !isKept(now)) throw error;
      const { current, reported } = this.compare(now, state, inputs);
      const known = (field: string) =>
        reported[field] === undefined ? undefined : current[field as keyof Inputs];
      const fields = patched(changes).map((path) => path.split(".")[0]!);
      const inForce = { ...inputs, ...Object.fromEntries(fields.map((field) => [field, known(field)])) };
      return { ...this.result(op, inForce, now, before), problem: { error, reasons: [error.message] } };
    }
  }

  /**
   * Reads the object.
   * @returns undefined if it no longer exists
   */
  readonly read = async (
    op: Op,
    id: string,
    state: State | undefined,
  ): Promise<Found<Inputs, State> | undefined> => {
    const { kind } = this;
    const stored = await kind.find(op, id);
    if (!stored) return undefined;
    const { title, owner, holder } = this.existing(op, stored);
    if (state && owner === "another") op.report.log("warning", `${title} is now owned by ${holder}.`);
    const inputs = state
      ? (this.compare(stored, state, kind.state.inputsOf(state)).current as Inputs)
      : imported<Inputs>(kind.reported(stored));
    const result = this.result(op, inputs, stored, state && { state, stored });
    return { inputs, state: result.state };
  };

  readonly update = async (op: Op, id: string, state: State, inputs: Inputs): Promise<Result<State>> => {
    const { kind } = this;
    const stored = await kind.find(op, id);
    if (!stored)
      throw new AgentServerError(
        "resource_gone",
        `${kind.noun} ${id} no longer exists. Run \`pulumi refresh\`; the next \`pulumi up\` recreates it.`,
      );
    const existing = this.existing(op, stored);
    const { title } = existing;
    claim(op.report, "update", existing, inputs.adopt);
    // An object that lost its tag may have been changed or recreated by others.
    const isSameObject = !["another", "none", "server"].includes(existing.owner);
    const compared = this.compare(stored, state, inputs, isSameObject);
    const fixed = compared.changes.filter(({ effect }) => effect === "replace");
    if (fixed.length > 0)
      throw this.immutable(`${title} was changed outside this program and cannot be updated`, fixed);
    const known = kind.state.inputsOf<Inputs>(state);
    const hadEarlierValues = kind.keepsTag?.(known) && !kind.keepsTag(inputs);
    const difference = hadEarlierValues ? "" : differenceOf(this.changes(known, inputs), compared.changes);
    if (difference) op.report.log("info", `${title} was changed outside this program: ${difference}.`);
    // Without a change on the server, the state remains as it is.
    const isKept = (now: Stored) => now === stored || !isSameJson(now, stored);
    return this.written(op, inputs, { stored, changes: compared.changes, isKept, state }, () =>
      this.apply(this.guarded(op, stored), stored, inputs, compared),
    );
  };

  readonly delete = async (
    op: Op,
    id: string,
    state?: State,
    successor?: Inputs,
    replacement?: { id: string; inputs: Inputs },
  ): Promise<void> => {
    const stored = await this.kind.find(op, id);
    if (!stored || claim(op.report, "delete", this.existing(op, stored)) === "keep") return;
    await this.kind.delete(this.guarded(op, stored), stored, state, { successor, replacement });
  };

  /**
   * Returns the operation with writes that are sent only while no other resource has adopted the object.
   * @param stored the object, as just read
   */
  private guarded(op: Op, stored: Stored): Op {
    const { kind } = this;
    const tagged = (one: Stored) => ({ metadata: kind.metadataOf?.(one) });
    return guardedOwner(op, tagged(stored), op.time.clock.now(), async () => {
      const now = await kind.find(op, kind.idOf(stored));
      return now && tagged(now);
    });
  }

  private existing(op: Op, stored: Stored, isInState = true): Existing {
    const { kind } = this;
    const name = kind.nameOf?.(stored);
    const owned = kind.metadataOf
      ? ownerIn(kind.metadataOf(stored), op.resource, isInState)
      : { owner: "unreported" as const };
    return {
      title: `${kind.noun} ${kind.idOf(stored)}${name ? ` ("${name}")` : ""}`,
      alternative: kind.alternative,
      ...owned,
      ...(owned.owner === "none" && kind.isOfServer?.(stored) && { owner: "server" }),
    };
  }

  /**
   * Returns the inputs that are currently in effect, and the required changes.
   * @param isKept false if another resource may have changed fields that the server does not report
   */
  private compare(stored: Stored, state: State | undefined, inputs: Inputs, isKept = true) {
    const { kind } = this;
    const { deployment, connection } = inputs;
    const reported: Record<string, unknown> = { ...kind.reported(stored, state, inputs) };
    const known = Object.entries(state ? (kind.managed?.(state) ?? kind.state.inputsOf(state)) : {});
    // An object that is not in state was found on the server that the inputs specify.
    const managed = {
      ...(deployment && { deployment }),
      ...(connection && { connection }),
      ...Object.fromEntries(known.filter(([field]) => isKept || reported[field] !== undefined)),
    } as Partial<Inputs>;
    const current = merge<Inputs>(kind.rules, managed, reported, inputs);
    return { current, reported, changes: this.changes(current, inputs) };
  }

  private changes(state: Partial<Inputs>, wanted: Inputs): Change[] {
    return this.kind.plan({ state, wanted, isSecret: () => false, replacesOn: () => false }).changes;
  }

  private async apply(
    op: Op,
    stored: Stored,
    wanted: Inputs,
    { current, changes }: { current: Partial<Inputs>; changes: Change[] },
  ): Promise<Stored> {
    const { kind } = this;
    const fields = new Set(patched(changes).map((path) => path.split(".")[0]!));
    const isTagged =
      !kind.metadataOf ||
      ownerOf(kind.metadataOf(stored)) === op.resource.ownerId ||
      (kind.keepsTag?.(wanted) && this.existing(op, stored).owner === "this");
    const metadata =
      fields.has("metadata") || !isTagged
        ? {
            ...(fields.has("metadata") && {
              ...removedKeys(current.metadata, wanted.metadata),
              ...wanted.metadata,
            }),
            ...changedTag(op.resource, kind.metadataOf?.(stored)),
          }
        : undefined;
    if (fields.size === 0 && !metadata) return stored;
    return kind.patch(op, stored, { current, wanted, fields, metadata });
  }

  private complete(op: Op, inputs: Inputs, stored: Stored): Promise<Stored> | Stored {
    return this.kind.complete?.(op, inputs, stored) ?? stored;
  }

  private result(
    op: Op,
    inputs: Inputs,
    stored: Stored,
    before?: { state: State; stored: Stored },
  ): Result<State> {
    const { kind } = this;
    const ownerId = recordedOwner(kind.metadataOf?.(stored), op.resource, before !== undefined);
    const outputs = kind.outputs?.(inputs, stored, op, before);
    const state = kind.state.write({ ownerId }, { ...inputs, ...outputs });
    return { id: kind.idOf(stored), state };
  }

  private immutable(what: string, changes: Change[]): AgentServerError {
    const fields = changes.map(({ path }) => `\`${path}\``).join(", ");
    return new AgentServerError(
      "immutable_field",
      `${what}, because these fields differ and cannot be changed: ${fields}. Set them to the existing values, ${this.kind.alternative}, or delete the existing object.`,
    );
  }
}

function patched(changes: readonly Change[]): string[] {
  return changes.filter(({ effect }) => effect === "patch").map(({ path }) => path);
}

/**
 * Describes how external changes make an update differ from its preview; empty if there is no difference. A map that
 * becomes managed is one change in the preview, but its current entries are compared one by one.
 */
function differenceOf(planned: readonly Change[], actual: readonly Change[]): string {
  const [before, now] = [patched(planned), patched(actual)];
  const list = (paths: string[]) => paths.map((path) => `\`${path}\``).join(", ");
  const isAmong = (path: string, paths: string[]) =>
    paths.some((one) => one === path || one.startsWith(`${path}.`) || path.startsWith(`${one}.`));
  const managed = planned.filter(({ values }) => values?.from !== undefined);
  const added = now.filter((path) => !isAmong(path, before));
  const done = patched(managed).filter((path) => !isAmong(path, now));
  const parts = [
    ...(added.length > 0 ? [`the update also changes ${list(added)}`] : []),
    ...(done.length > 0 ? [`already up to date: ${list(done)}`] : []),
  ];
  return parts.join("; ");
}

/** Returns the fields that a server reports as inputs of an imported object. */
function imported<Inputs>(reported: object): Inputs {
  return Object.fromEntries(Object.entries(reported).filter(([, value]) => isGiven(value))) as Inputs;
}
