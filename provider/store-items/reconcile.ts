import { z } from "zod";
import { recordLabel } from "../agent-server/wire";
import { AgentServerError, asError } from "../errors";
import { isSameJson } from "../resource/inputs/json";
import { eachOf } from "../resource/inputs/values";
import type { AgentServerOperation, Problem } from "../resource/operation";
import { type Adopt, decide } from "../resource/ownership/claim";
import { holderOf } from "../resource/ownership/owner-tag";
import { hashesOf, named, type Hashes, type Items } from "./items";

type Op = AgentServerOperation;

/** What a resource declares about items of one namespace. */
export interface ItemSet {
  namespace: readonly string[];
  items: Items;
  index?: false | string[] | null | undefined;
  ttl?: number | null | undefined;
  prune?: boolean | undefined;
  adopt?: Adopt | undefined;
  /** Distinguishes resources that can replace each other within one namespace. */
  part?: string;
}

/** What the state has about the same items. */
export type StoredSet = Pick<ItemSet, "index" | "ttl"> & { hashes: Hashes };

/** The items of this resource that are on the server, and why not all of them are as declared. */
export interface StoredItems {
  hashes: Hashes;
  problem?: Problem;
}

/** A record of what a resource has written: an interrupted create leaves no state. */
const record = z.object({ items: z.record(z.string(), z.array(z.string())) });

/** Hashes of the values that this resource has written or is about to write, by the keys of the items. */
type Written = ReadonlyMap<string, readonly string[]>;

/** `PUT` and `DELETE /store/items` of the items that are not as declared; none that others have written, unless adopted. */
export async function storeItems(op: Op, set: ItemSet, before?: StoredSet): Promise<StoredItems> {
  const { namespace, items, index, ttl, adopt = "ifOwned", prune = true } = set;
  const hashes = hashesOf(items);
  const recorded = await readRecord(op, set);
  const written: Written =
    recorded ?? new Map(Object.entries(before?.hashes ?? {}).map(([key, hash]) => [key, [hash]]));
  const known = new Set(Object.keys(before?.hashes ?? {}));
  const removed = [...new Set([...known, ...written.keys()])].filter((key) => !items.has(key));
  const there = await hashesThere(op, namespace, [...items.keys(), ...removed]);
  const isOwn = (key: string) => written.get(key)?.includes(there.get(key)!) === true;
  // Servers do not report how an item is found and how long it lives.
  const isRewritten = [
    [index, before?.index],
    [ttl, before?.ttl],
  ].some(([declared, stored]) => declared !== undefined && !(before && isSameJson(declared, stored)));

  const [put, foreign, conflicts] = [[] as string[], [] as string[], [] as string[]];
  for (const key of items.keys()) {
    if (!there.has(key)) {
      put.push(key);
      continue;
    }
    const isSame = there.get(key) === hashes[key];
    const decision = decide(known.has(key) ? "update" : "create", isOwn(key) ? "this" : "another", adopt);
    if (decision !== "refuse") {
      if (!isSame || isRewritten) put.push(key);
    } else if (isSame && known.has(key)) foreign.push(key);
    else conflicts.push(key);
  }
  const others = conflicts.filter((key) => !isOwn(key));
  if (conflicts.length > 0)
    throw conflict(namespace, others.length > 0 ? others : conflicts, others.length === 0);
  const present = prune ? removed.filter((key) => there.has(key)) : [];
  const isDeleted = (key: string) => isOwn(key) || (adopt === "always" && known.has(key));
  const gone = present.filter(isDeleted);
  reportKept(
    op,
    namespace,
    present.filter((key) => !isDeleted(key)),
  );

  const own = [...items.keys()].filter((key) => !foreign.includes(key));
  const result: Written = new Map(own.map((key) => [key, [hashes[key]!]]));
  const work = put.length + gone.length;
  if (put.length > 0) await writeRecord(op, set, recorded, merged(written, result));
  const done = new Map([...there].filter(([key]) => items.has(key) || gone.includes(key)));
  let finished = 0;
  const step = async (request: Promise<void>) => {
    await request;
    finished += 1;
    op.report.status.show("STORING", `${finished} of ${work} items`);
  };
  try {
    await eachOf(put, async (key) => {
      const options = { ...(index !== undefined && { index }), ...(ttl !== undefined && { ttl }) };
      await step(op.server.store.put({ namespace, key, value: items.get(key)!, ...options }));
      done.set(key, hashes[key]!);
    });
    await eachOf(gone, async (key) => {
      await step(op.server.store.delete(namespace, key));
      done.delete(key);
    });
    await writeRecord(op, set, put.length > 0 ? merged(written, result) : recorded, result);
  } catch (thrown) {
    const error = AgentServerError.is(thrown) ? thrown : asError(thrown);
    if (!AgentServerError.is(error)) throw error;
    const reasons = [
      `${finished} of ${work} items of ${namespace.join(".")} were stored before this error: ${error.message}`,
      "Run `pulumi up` again to store the others.",
    ];
    return { hashes: Object.fromEntries(done), problem: { error, reasons } };
  }
  return { hashes: Object.fromEntries(done) };
}

/** `DELETE /store/items` of the items that this resource has written. */
export async function deleteItems(op: Op, set: ItemSet, hashes: Hashes): Promise<void> {
  const { namespace, adopt } = set;
  const recorded = await readRecord(op, set);
  const written: Written = recorded ?? new Map(Object.entries(hashes).map(([key, hash]) => [key, [hash]]));
  const keys = [...new Set([...Object.keys(hashes), ...written.keys()])];
  const there = await hashesThere(op, namespace, keys);
  const isDeleted = (key: string) =>
    written.get(key)?.includes(there.get(key)!) === true ||
    (adopt === "always" && Object.hasOwn(hashes, key));
  const present = keys.filter((key) => there.has(key));
  reportKept(
    op,
    namespace,
    present.filter((key) => !isDeleted(key)),
  );
  await eachOf(present.filter(isDeleted), (key) => op.server.store.delete(namespace, key));
  if (recorded) await op.server.store.delete(recordNamespace(set), recordKey(op, set));
}

/** Items of a namespace as the server has them: those with these keys, or all. */
export async function itemsThere(
  { server, time }: Op,
  namespace: readonly string[],
  keys?: readonly string[],
): Promise<Items> {
  if (keys?.length === 0) return new Map();
  const found =
    keys?.length === 1
      ? [await server.store.find(namespace, keys[0]!, time.signal)].flatMap((item) => item ?? [])
      : await server.store.list(namespace, time.signal);
  const wanted = keys && new Set(keys);
  return new Map(
    found.flatMap(({ key, value }) => (!wanted || wanted.has(key) ? [[key, value] as const] : [])),
  );
}

async function hashesThere(op: Op, namespace: readonly string[], keys: readonly string[]) {
  return new Map(Object.entries(hashesOf(await itemsThere(op, namespace, keys))));
}

function merged(...sets: Written[]): Written {
  const result = new Map<string, string[]>();
  for (const set of sets)
    for (const [key, hashes] of set) result.set(key, [...new Set([...(result.get(key) ?? []), ...hashes])]);
  return result;
}

function recordNamespace({ namespace }: ItemSet): string[] {
  return [recordLabel, ...namespace];
}

function recordKey({ resource: { ownerId } }: Op, { part }: ItemSet): string {
  return part === undefined ? ownerId : `${ownerId}/${part}`;
}

async function readRecord(op: Op, set: ItemSet): Promise<Written | undefined> {
  const found = await op.server.store.find(recordNamespace(set), recordKey(op, set), op.time.signal);
  const { data } = record.safeParse(found?.value);
  return data && new Map(Object.entries(data.items));
}

/** Records what this resource writes, before it does. */
async function writeRecord(
  op: Op,
  set: ItemSet,
  before: Written | undefined,
  written: Written,
): Promise<void> {
  const items = Object.fromEntries(written);
  if (isSameJson(Object.fromEntries(before ?? []), items)) return;
  await op.server.store.put({
    namespace: recordNamespace(set),
    key: recordKey(op, set),
    value: { resource: holderOf(op.resource), items },
    index: false,
  });
}

function conflict(namespace: readonly string[], keys: readonly string[], areOwn: boolean): AgentServerError {
  const reason = areOwn
    ? 'already exist, and `adopt` is "never"'
    : "already exist and were not written by this resource";
  return new AgentServerError(
    "name_conflict",
    `Items of the namespace ${namespace.join(".")} ${reason}: ${named(keys)}. Adopt them (\`adopt: "${areOwn ? "ifOwned" : "always"}"\`), use other keys or another namespace, or delete them.`,
  );
}

function reportKept(op: Op, namespace: readonly string[], keys: readonly string[]): void {
  if (keys.length > 0)
    op.report.log(
      "warning",
      `Items of the namespace ${namespace.join(".")} were not deleted because others have written them: ${named(keys)}.`,
    );
}
