import { z } from "zod";
import { recordLabel } from "../agent-server/wire";
import { AgentServerError, asError } from "../errors";
import { mapConcurrently } from "../map-concurrently";
import { guarded, untilUnchanged } from "../resource/guard";
import { isSameJson } from "../resource/inputs/json";
import type { AgentServerChecks } from "../resource/checks";
import { failure } from "../resource/inputs/finding";
import { hasUnknown } from "../resource/inputs/unknown";
import type { Props } from "../resource/inputs/values";
import type { OwnerIds, ResourceIdentity } from "../resource/ownership/owner-id";
import type { AgentServerOperation, Problem } from "../resource/operation";
import { type Adopt, decide } from "../resource/ownership/claim";
import { holderOf, isOfSameStack } from "../resource/ownership/owner-tag";
import { serverPaths } from "../resource/server";
import { hashesOf, named, type Hashes, type Items } from "./items";

type Op = AgentServerOperation;

/** Maximum number of items that are written or deleted concurrently. */
const concurrency = 8;

/** Items that a resource declares in a namespace. */
export interface ItemSet extends Omit<DeclaredItems, "hashes"> {
  items: Items;
  index?: false | string[] | null | undefined;
  ttl?: number | null | undefined;
}

/** Fields of an item set that determine the action for each item. */
interface DeclaredItems {
  namespace: readonly string[];
  hashes: Hashes;
  prune?: boolean | undefined;
  adopt?: Adopt | undefined;
  /** Name that distinguishes the records of a resource and its replacement in the same namespace. */
  part?: string;
}

/** The declared items, in the form in which state contains them. */
export type StoredSet = Pick<ItemSet, "index" | "ttl"> & { hashes: Hashes };

/**
 * The items of this resource that are on the server, and the problem if some items were not stored as declared. In that
 * case, `index` or `ttl` is `undefined` if it changed, because only some of the items may have the new value.
 */
export type StoredItems = StoredSet & { problem?: Problem };

/** Hashes of the values that were written to each item, by the keys of the items. */
type Written = Readonly<Record<string, readonly string[]>>;

const written = z.record(z.string(), z.array(z.string()));

/**
 * Record of the values that a resource has written. It is kept in the store, because an interrupted create leaves no
 * state.
 */
const record = z.looseObject({
  /** The values that the resource has written or is about to write. */
  items: written,
  /** Values that the resource has written to items that it has stopped managing without deleting them. */
  released: written.default({}),
  /** Name of the resource. See {@link holderOf}. */
  resource: z.string().optional(),
  /** Key of the previous record during a rename, in case the rename is interrupted and reverted. */
  renamedFrom: z.string().optional(),
});

type WrittenRecord = z.infer<typeof record>;

/** Context for reading the items of a resource on one server. */
type Reader = OwnerIds & { server: Op["server"]; signal?: AbortSignal | undefined };

export function readerOf({ server, time, resource: { ownerId, otherOwnerId } }: Op): Reader {
  return { server, signal: time.signal, ownerId, otherOwnerId };
}

/**
 * Determines the action for every item. Pure function.
 * @param others records of other resources; items in these records are not deleted
 */
function decideItems(
  { hashes, adopt = "ifOwned", prune = true }: DeclaredItems,
  before: Hashes,
  { items, released }: WrittenRecord,
  there: ReadonlyMap<string, string>,
  others: RecordsOfOthers = new Map(),
) {
  const isOwn = (key: string) => isIn(items, there, key) || isIn(released, there, key);
  const isOfOthers = (key: string) => [...others.values()].some((one) => isIn(one.items, there, key));
  const isKnown = (key: string) => Object.hasOwn(before, key);
  const declared = Object.keys(hashes);
  const existing = declared.filter((key) => there.has(key));
  const refused = existing.filter(
    (key) => decide(isKnown(key) ? "update" : "create", isOwn(key) ? "this" : "another", adopt) === "refuse",
  );
  // Another resource has written the declared value.
  const foreign = refused.filter((key) => isKnown(key) && there.get(key) === hashes[key]);
  const conflicts = refused.filter((key) => !foreign.includes(key));
  const foreignConflicts = conflicts.filter((key) => !isOwn(key));
  const removed = removedFrom(hashes, before, items).filter((key) => there.has(key));
  // An interrupted adoption leaves an item in both records.
  const isDeletable = (key: string) =>
    !isOfOthers(key) && (isOwn(key) || (adopt === "always" && isKnown(key)));
  return {
    conflicts: foreignConflicts.length > 0 ? foreignConflicts : conflicts,
    areConflictsOwn: foreignConflicts.length === 0,
    own: declared.filter((key) => !foreign.includes(key)),
    differing: declared.filter((key) => there.get(key) !== hashes[key]),
    added: declared.filter((key) => !isKnown(key)),
    adopted: existing.filter((key) => !refused.includes(key) && !isOwn(key)),
    deleted: prune ? removed.filter(isDeletable) : [],
    released: prune ? [] : removed.filter(isOwn),
    kept: prune ? removed.filter((key) => !isDeletable(key)) : [],
  };
}

/**
 * Writes individual items. After a pause, an item is written only if it does not exist, has a value that this resource
 * has written, or has the value that the plan adopts or deletes.
 */
class ItemWrites {
  private readonly planned: ReadonlyMap<string, string>;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly op: Op,
    private readonly place: Place,
    private readonly keys: readonly string[],
    private there: ReadonlyMap<string, string>,
    private record: WrittenRecord,
    private readAt: number,
  ) {
    this.planned = new Map([...there].filter(([key]) => !this.isOwn(key)));
  }

  /**
   * Sends a write. If `refuse` is specified and others have written the item in the meantime, calls `refuse` instead.
   */
  send(key: string, write: (op: Op) => Promise<void>, refuse?: () => void): Promise<void> {
    if (!refuse) return write(this.op);
    return untilUnchanged(async () => {
      if (!this.isUnchanged(key)) return refuse();
      const isUnchanged = async () => {
        await this.readAgain();
        return this.isUnchanged(key);
      };
      await write(guarded(this.op, isUnchanged, this.readAt));
    });
  }

  private isUnchanged(key: string): boolean {
    const hash = this.there.get(key);
    return hash === undefined || hash === this.planned.get(key) || this.isOwn(key);
  }

  private isOwn(key: string): boolean {
    return isIn(this.record.items, this.there, key) || isIn(this.record.released, this.there, key);
  }

  /** Reads all items again, once for all pending writes. */
  private readAgain(): Promise<void> {
    const { op, place, keys } = this;
    const read = async () => {
      [this.record = this.record] = await readRecords(readerOf(op), place);
      this.there = await hashesThere(readerOf(op), place.namespace, keys);
      this.readAt = op.time.clock.now();
    };
    this.reading ??= read().finally(() => (this.reading = undefined));
    return this.reading;
  }
}

/** True if the item on the server has one of the values that the set contains for this key. */
function isIn(set: Written, there: ReadonlyMap<string, string>, key: string): boolean {
  return Object.hasOwn(set, key) && set[key]!.includes(there.get(key)!);
}

/** Returns the keys that were previously declared or written and are no longer declared. */
function removedFrom(hashes: Hashes, before: Hashes, items: Written): string[] {
  return Object.keys({ ...before, ...items }).filter((key) => !Object.hasOwn(hashes, key));
}

/**
 * `PUT` and `DELETE /store/items` for items that differ from the declared ones. Items that belong to other owners are
 * not changed unless they are adopted.
 */
export function storeItems(op: Op, set: ItemSet, before?: StoredSet): Promise<StoredItems> {
  return untilUnchanged(() => storeOnce(op, set, before));
}

async function storeOnce(op: Op, { items, ...set }: ItemSet, before?: StoredSet): Promise<StoredItems> {
  const { namespace, index, ttl } = set;
  const hashes = hashesOf(items);
  const declared = { ...set, hashes };
  const known = before?.hashes ?? {};
  const recordReadAt = op.time.clock.now();
  const found = await readRecord(op, set, before !== undefined);
  const recorded = found ?? recordFrom(known);
  const keys = [...items.keys(), ...removedFrom(hashes, known, recorded.items)];
  const there = await hashesThere(readerOf(op), namespace, keys);
  const readAt = op.time.clock.now();
  const others = await recordsOfOthers(op, set);
  const plan = decideItems(declared, known, recorded, there, others);
  if (plan.conflicts.length > 0) throw conflict(declared, plan);
  reportKept(op, namespace, plan.kept);
  // Servers do not report the index and the time to live of an item.
  const isRewritten = [
    [index, before?.index],
    [ttl, before?.ttl],
  ].some(([wanted, stored]) => wanted !== undefined && !(before && isSameJson(wanted, stored)));
  const hasOptions = index !== undefined || ttl !== undefined;
  const sent = new Set([...plan.differing, ...(hasOptions ? [...plan.added, ...plan.adopted] : [])]);
  const put = plan.own.filter((key) => isRewritten || sent.has(key));
  const result: WrittenRecord = {
    items: Object.fromEntries(plan.own.map((key) => [key, [hashes[key]!]])),
    released: Object.fromEntries<string[]>([
      ...Object.entries(recorded.released).filter(([key]) => !items.has(key)),
      ...plan.released.map((key): [string, string[]] => [key, [there.get(key)!]]),
    ]),
  };
  const whileWriting = put.length > 0 ? mergedRecords(recorded, result) : found;
  if (whileWriting) await writeRecord(op, set, found, whileWriting, recordReadAt);

  const work = put.length + plan.deleted.length;
  const done = new Map([...there].filter(([key]) => items.has(key) || plan.deleted.includes(key)));
  let finished = 0;
  const writes = new ItemWrites(op, set, keys, there, whileWriting ?? recorded, readAt);
  const step = async (key: string, write: (op: Op) => Promise<void>, refuse?: () => void) => {
    await writes.send(key, write, refuse);
    finished += 1;
    op.report.status.show("STORING", `${finished} of ${work} items`);
  };
  try {
    await mapConcurrently(put, concurrency, async (key) => {
      const options = { ...(index !== undefined && { index }), ...(ttl !== undefined && { ttl }) };
      const item = { namespace, key, value: items.get(key)!, ...options };
      const put = ({ server }: Op) => server.store.put(item);
      const refuse = () => {
        throw conflict(declared, { conflicts: [key], areConflictsOwn: false });
      };
      await step(key, put, set.adopt === "always" ? undefined : refuse);
      done.set(key, hashes[key]!);
    });
    await mapConcurrently(plan.deleted, concurrency, async (key) => {
      const remove = ({ server }: Op) => server.store.delete(namespace, key);
      await step(key, remove, () => reportKept(op, namespace, [key]));
      done.delete(key);
    });
    await writeRecord(op, set, whileWriting, result, recordReadAt);
    await takeFromOthers(op, set, others, plan.own, readAt);
  } catch (thrown) {
    const error = asError(thrown);
    if (!AgentServerError.is(error)) throw error;
    const reasons = [
      `${finished} of ${work} items in the namespace ${namespace.join(".")} were stored before this error: ${error.message}`,
      "Run `pulumi up` again to store the others.",
    ];
    const unchanged = <Option>(wanted: Option, stored: Option) =>
      isSameJson(wanted, stored) ? wanted : undefined;
    const options = { index: unchanged(index, before?.index), ttl: unchanged(ttl, before?.ttl) };
    return { hashes: Object.fromEntries(done), ...options, problem: { error, reasons } };
  }
  return { hashes: Object.fromEntries(done), index, ttl };
}

/** `DELETE /store/items` for the items that this resource has written. */
export function deleteItems(op: Op, set: ItemSet, hashes: Hashes): Promise<void> {
  return untilUnchanged(() => deleteOnce(op, set, hashes));
}

async function deleteOnce(op: Op, set: ItemSet, hashes: Hashes): Promise<void> {
  const { namespace, adopt, part } = set;
  const found = await readRecord(op, set, true);
  const recorded = { ...(found ?? recordFrom(hashes)), released: {} };
  const keys = removedFrom({}, hashes, recorded.items);
  const there = await hashesThere(readerOf(op), namespace, keys);
  const readAt = op.time.clock.now();
  const others = await recordsOfOthers(op, { namespace, adopt, part });
  const { deleted, kept } = decideItems({ namespace, adopt, hashes: {} }, hashes, recorded, there, others);
  reportKept(op, namespace, kept);
  const writes = new ItemWrites(op, set, keys, there, recorded, readAt);
  await mapConcurrently(deleted, concurrency, (key) =>
    writes.send(
      key,
      ({ server }) => server.store.delete(namespace, key),
      () => reportKept(op, namespace, [key]),
    ),
  );
  if (found) await forgetRecord(op, set);
}

/**
 * Returns a check that reports the items that an update could not change because other owners have written them.
 * @param hashesIn returns the known hashes of the items in inputs
 */
export function askItems(
  fields: readonly string[],
  hashesIn: (inputs: Props) => Hashes | undefined,
): AgentServerChecks["questions"][number] {
  return async (wanted, { isSecret, ...reader }) => {
    const { namespace, key, adopt, prune } = wanted.inputs as Partial<Record<string, never>>;
    const before = wanted.previous && hashesIn(wanted.previous as Props);
    const hashes = hashesIn(wanted.inputs as Props);
    const place = ["namespace", "key", ...serverPaths];
    if (!before || !hashes || wanted.isToBeReplaced || place.some((path) => wanted.changes(path))) return [];
    // A preview does not send secrets, since a manifest may specify any server.
    if (hasUnknown([adopt, prune]) || place.some(isSecret) || !fields.some((path) => wanted.changes(path)))
      return [];
    const declared: DeclaredItems = { namespace: namespace!, hashes, adopt, prune, part: key };
    const [whole] = await readRecords(reader, declared);
    const recorded = whole ?? (await findRenamedRecord(reader, declared, reader))?.data ?? recordFrom(before);
    const there = await hashesThere(reader, declared.namespace, Object.keys(hashes));
    const plan = decideItems(declared, before, recorded, there);
    if (plan.conflicts.length === 0) return [];
    return [failure("", conflict(declared, plan).message.replace(/\.$/, ""))];
  };
}

/** Returns the items in a namespace on the server: those with these keys, or all of them. */
export async function itemsThere(
  { server, signal }: Reader,
  namespace: readonly string[],
  keys?: readonly string[],
): Promise<Items> {
  if (keys?.length === 0) return new Map();
  const found =
    keys?.length === 1
      ? [await server.store.find(namespace, keys[0]!, signal)].flatMap((item) => item ?? [])
      : await server.store.list(namespace, signal);
  const wanted = keys && new Set(keys);
  return new Map(
    found.flatMap(({ key, value }) => (!wanted || wanted.has(key) ? [[key, value] as const] : [])),
  );
}

async function hashesThere(reader: Reader, namespace: readonly string[], keys: readonly string[]) {
  return new Map(Object.entries(hashesOf(await itemsThere(reader, namespace, keys))));
}

type Place = Pick<DeclaredItems, "namespace" | "part">;

function recordNamespace({ namespace }: Place): string[] {
  return [recordLabel, ...namespace];
}

function recordKey(ownerId: string, { part }: Place): string {
  return part === undefined ? ownerId : `${ownerId}/${part}`;
}

/** Returns the record of a resource for which only the state is known. */
function recordFrom(hashes: Hashes): WrittenRecord {
  const items = Object.fromEntries(Object.entries(hashes).map(([key, hash]) => [key, [hash]]));
  return { items, released: {} };
}

function mergedRecords(one: WrittenRecord, other: WrittenRecord): WrittenRecord {
  const merge = (...sets: Written[]) => {
    const result = new Map<string, string[]>();
    for (const [key, hashes] of sets.flatMap((set) => Object.entries(set)))
      result.set(key, [...new Set([...(result.get(key) ?? []), ...hashes])]);
    return Object.fromEntries(result);
  };
  return { items: merge(one.items, other.items), released: merge(one.released, other.released) };
}

/** Reads one record from the store. */
async function recordAt(
  { server, signal }: Pick<Reader, "server" | "signal">,
  place: Place,
  key: string,
): Promise<WrittenRecord | undefined> {
  return record.safeParse((await server.store.find(recordNamespace(place), key, signal))?.value).data;
}

/** Returns the record of a resource, merged with the record from before a rename that is not finished. */
async function readRecords(
  reader: Reader,
  place: Place,
): Promise<[whole?: WrittenRecord, own?: WrittenRecord, earlier?: WrittenRecord]> {
  const read = async (id: string | undefined) =>
    id === undefined ? undefined : recordAt(reader, place, recordKey(id, place));
  const [own, earlier] = [await read(reader.ownerId), await read(reader.otherOwnerId)];
  return [own && earlier ? mergedRecords(own, earlier) : (own ?? earlier), own, earlier];
}

/**
 * Reads the record of a resource. After a rename, or if an interrupted rename was reverted, the record is first moved
 * to the current owner ID.
 * @param isInState true if the resource is in state
 */
async function readRecord(op: Op, place: Place, isInState: boolean): Promise<WrittenRecord | undefined> {
  const readAt = op.time.clock.now();
  const { otherOwnerId } = op.resource;
  const [whole, own, earlier] = await readRecords(readerOf(op), place);
  const renamed =
    !whole && isInState ? await findRenamedRecord(readerOf(op), place, op.resource.identity) : undefined;
  const key = earlier && otherOwnerId !== undefined ? recordKey(otherOwnerId, place) : renamed?.key;
  const moved = whole ?? renamed?.data;
  if (key === undefined || !moved) return whole;
  await writeRecord(op, place, own, moved, readAt);
  await op.server.store.delete(recordNamespace(place), key);
  return moved;
}

/** Finds the record that an interrupted rename of this resource has moved to another owner ID. */
async function findRenamedRecord(
  { server, signal, ownerId }: Reader,
  place: Place,
  identity: ResourceIdentity,
): Promise<{ key: string; data: WrittenRecord } | undefined> {
  const all = await server.store.list(recordNamespace(place), signal);
  return all
    .flatMap(({ key, value }) => {
      const { data } = record.safeParse(value);
      return data ? [{ key, data }] : [];
    })
    .find(
      ({ data: { renamedFrom, resource } }) =>
        renamedFrom === recordKey(ownerId, place) && isOfSameStack(resource, { identity }),
    );
}

/**
 * Records the values that this resource is about to write.
 * @param readAt time at which the record was read, or was last written
 */
async function writeRecord(
  op: Op,
  place: Place,
  before: WrittenRecord | undefined,
  { items, released }: WrittenRecord,
  readAt: number,
): Promise<void> {
  const { ownerId, otherOwnerId } = op.resource;
  const after: WrittenRecord = {
    resource: holderOf(op.resource),
    items,
    released,
    ...(otherOwnerId !== undefined && { renamedFrom: recordKey(otherOwnerId, place) }),
  };
  if (!isSameRecord(before, after))
    await putRecord(op, place, recordKey(ownerId, place), { before, after, readAt });
}

/**
 * Writes a record only if it has not changed since it was read: a resource that adopts items changes the records of
 * other resources.
 */
async function putRecord(
  op: Op,
  place: Place,
  key: string,
  { before, after, readAt }: { before: WrittenRecord | undefined; after: WrittenRecord; readAt: number },
): Promise<void> {
  const isUnchanged = async () => {
    const now = await recordAt(readerOf(op), place, key);
    // An earlier attempt may have written it.
    return isSameRecord(now, before) || isSameRecord(now, after);
  };
  const { server } = guarded(op, isUnchanged, readAt);
  const { released, ...value } = after;
  const namespace = recordNamespace(place);
  const whole = { ...value, ...(Object.keys(released).length > 0 && { released }) };
  await server.store.put({ namespace, key, value: whole, index: false });
}

function isSameRecord(one: WrittenRecord | undefined, other: WrittenRecord | undefined): boolean {
  return isSameJson([one?.items ?? {}, one?.released ?? {}], [other?.items ?? {}, other?.released ?? {}]);
}

/** Deletes the record of this resource. */
export async function forgetRecord({ server, resource }: Op, place: Place): Promise<void> {
  await server.store.delete(recordNamespace(place), recordKey(resource.ownerId, place));
}

/** Records of other resources in a namespace, by their keys in the store. */
type RecordsOfOthers = ReadonlyMap<string, WrittenRecord>;

/** Returns the records of other resources, for a resource that may adopt their items. */
async function recordsOfOthers(
  { server, time, resource }: Op,
  { adopt, ...place }: Pick<DeclaredItems, "namespace" | "part" | "adopt">,
): Promise<RecordsOfOthers> {
  if (adopt !== "always") return new Map();
  const all = await server.store.list(recordNamespace(place), time.signal);
  const others = all.filter(({ key }) => key !== recordKey(resource.ownerId, place));
  return new Map(
    others.flatMap(({ key, value }) => {
      const { data } = record.safeParse(value);
      return data ? [[key, data] as const] : [];
    }),
  );
}

/**
 * Removes adopted items from the records of other resources, because these resources would otherwise still treat the
 * items as their own.
 */
async function takeFromOthers(
  op: Op,
  place: Place,
  others: RecordsOfOthers,
  keys: readonly string[],
  readAt: number,
) {
  const without = (set: WrittenRecord["items"]) =>
    Object.fromEntries(Object.entries(set).filter(([key]) => !keys.includes(key)));
  for (const [key, data] of others) {
    const { items, released } = data;
    if (!keys.some((one) => Object.hasOwn(items, one) || Object.hasOwn(released, one))) continue;
    const after = { ...data, items: without(items), released: without(released) };
    await putRecord(op, place, key, { before: data, after, readAt });
  }
}

function conflict(
  { namespace }: DeclaredItems,
  { conflicts, areConflictsOwn }: Pick<ReturnType<typeof decideItems>, "conflicts" | "areConflictsOwn">,
): AgentServerError {
  const reason = areConflictsOwn
    ? "already exist and were written by this resource"
    : "already exist and were not written by this resource";
  return new AgentServerError(
    "name_conflict",
    `Items in the namespace ${namespace.join(".")} ${reason}: ${named(conflicts)}. Adopt them (\`adopt: "${areConflictsOwn ? "ifOwned" : "always"}"\`), use different keys or a different namespace, or delete them.`,
  );
}

function reportKept(op: Op, namespace: readonly string[], keys: readonly string[]): void {
  if (keys.length > 0)
    op.report.log(
      "warning",
      `Items in the namespace ${namespace.join(".")} were not deleted because others have written them: ${named(keys)}.`,
    );
}
