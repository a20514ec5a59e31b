import { resolve } from "node:path";
import { AgentServerError, asError } from "../errors";
import type { AgentServerOperation, Result } from "../resource/operation";
import { eachOf } from "../resource/inputs/values";
import { isSameJson } from "../resource/inputs/json";
import type { Found } from "../resource/kind";
import type { StoreItemsInputs } from "./inputs";
import { hashesOf, hashOf, itemsIn, itemsOf, type Items } from "./items";
import { compared } from "./plan";
import { storeItemsState, type StoreItemsState } from "./state";

type Op = AgentServerOperation;
type Hashes = Readonly<Record<string, string>>;

/** Keys that a message names. */
const namedKeys = 10;

/** `PUT /store/items` of each item that is not there as it is wanted. */
export async function createStoreItems(op: Op, inputs: StoreItemsInputs): Promise<Result<StoreItemsState>> {
  const there = await hashesThere(op, inputs.namespace);
  const { changed } = compared(there, inputs.itemHashes ?? {});
  if (changed.length > 0 && inputs.adopt !== "always")
    throw new AgentServerError(
      "name_conflict",
      `There are other items in the namespace ${inputs.namespace.join(".")} already: ${changed.slice(0, namedKeys).join(", ")}${changed.length > namedKeys ? ` and ${changed.length - namedKeys} more` : ""}. Ways out: take them over with \`adopt: "always"\`; choose another namespace; or delete them first.`,
    );
  const own = Object.entries(there).filter(([key]) => Object.hasOwn(inputs.itemHashes ?? {}, key));
  return bring(op, inputs, Object.fromEntries(own), false);
}

/** `PUT` and `DELETE /store/items`, of what has changed alone. */
export async function updateStoreItems(
  op: Op,
  _id: string,
  state: StoreItemsState,
  inputs: StoreItemsInputs,
): Promise<Result<StoreItemsState>> {
  // How an item is found, and how long it lives, is never told: to change that, it is put anew.
  const { index, ttl } = state;
  const isAnew = !isSameJson([index, ttl], [inputs.index, inputs.ttl]);
  const ended = await bring(op, inputs, state.itemHashes ?? {}, isAnew);
  // Some may have been put anew, and some not: the next update puts them all.
  return isAnew && ended.problem ? { ...ended, state: { ...ended.state, index, ttl } } : ended;
}

async function bring(
  op: Op,
  inputs: StoreItemsInputs,
  before: Hashes,
  isAnew: boolean,
): Promise<Result<StoreItemsState>> {
  const { namespace, index, ttl, prune = true } = inputs;
  const items = await readItems(op, inputs);
  const wanted = hashesOf(items);
  const { added, changed, removed } = compared(before, wanted);
  const done = new Map(Object.entries(before));
  const put = isAnew ? [...items.keys()] : [...added, ...changed];
  const gone = prune ? removed : [];
  if (!prune) for (const key of removed) done.delete(key);
  const all = put.length + gone.length;
  let finished = 0;
  const step = async (work: Promise<void>) => {
    await work;
    finished += 1;
    op.report.status.show("STORING", `${finished} of ${all} items`);
  };
  const id = namespace.join(".");
  try {
    await eachOf(put, async (key) => {
      const item = { namespace, key, value: items.get(key)! };
      const options = { ...(index !== undefined && { index }), ...(ttl !== undefined && { ttl }) };
      await step(op.server.store.put({ ...item, ...options }));
      done.set(key, wanted[key]!);
    });
    await eachOf(gone, async (key) => {
      await step(op.server.store.delete(namespace, key));
      done.delete(key);
    });
  } catch (thrown) {
    const error = AgentServerError.is(thrown) ? thrown : asError(thrown);
    if (!AgentServerError.is(error)) throw error;
    const reasons = [
      `${finished} of ${all} items of ${id} were stored, then it failed: ${error.message}`,
      "Run `pulumi up` again to store the others.",
    ];
    return { id, state: stateOf(op, inputs, Object.fromEntries(done)), problem: { error, reasons } };
  }
  return { id, state: stateOf(op, inputs, Object.fromEntries(done)) };
}

/** What the check has looked at may have changed since; what is there now is sent. */
function readItems({ resource: { workingFolder } }: Op, { items, folder }: StoreItemsInputs): Promise<Items> {
  return folder === undefined
    ? Promise.resolve(itemsOf(items ?? {}))
    : itemsIn(resolve(workingFolder, folder));
}

function stateOf(
  { resource: { ownerId } }: Op,
  inputs: StoreItemsInputs,
  itemHashes: Hashes,
): StoreItemsState {
  return { ...inputs, itemHashes, ownerId, schemaVersion: storeItemsState.schemaVersion };
}

async function hashesThere({ server, time: { signal } }: Op, namespace: readonly string[]): Promise<Hashes> {
  const items = await server.store.list(namespace, signal);
  return Object.fromEntries(items.map(({ key, value }) => [key, hashOf(value)]));
}

/** `POST /store/items/search`: the items of this resource as they are. */
export async function readStoreItems(
  op: Op,
  id: string,
  known: StoreItemsState | undefined,
): Promise<Found<StoreItemsInputs, StoreItemsState> | undefined> {
  const namespace = known?.namespace ?? id.split(".");
  const there = await hashesThere(op, namespace);
  const keys = Object.keys(known?.itemHashes ?? there);
  const own = Object.fromEntries(
    keys.flatMap((key) => (Object.hasOwn(there, key) ? [[key, there[key]!]] : [])),
  );
  const before: StoreItemsInputs = known
    ? storeItemsState.inputsOf<StoreItemsInputs>(known)
    : { namespace, items: {} };
  return { inputs: { ...before, itemHashes: own }, state: stateOf(op, before, own) };
}

/** `DELETE /store/items` of each item of this resource. */
export async function deleteStoreItems(
  { server }: Op,
  _id: string,
  known: StoreItemsState | undefined,
): Promise<void> {
  if (!known) return;
  await eachOf(Object.keys(known.itemHashes ?? {}), (key) => server.store.delete(known.namespace, key));
}
