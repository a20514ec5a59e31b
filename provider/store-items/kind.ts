import { resolve } from "node:path";
import { AgentServerError } from "../errors";
import { failure } from "../resource/inputs/finding";
import { hasUnknown } from "../resource/inputs/unknown";
import type { Props } from "../resource/inputs/values";
import type { AgentServerKind, Computed } from "../resource/kind";
import type { AgentServerOperation, Result } from "../resource/operation";
import { distinctOwners } from "../resource/ownership/derived-id";
import { storeItemsInputs, type StoreItemsInputs } from "./inputs";
import { type Hashes, hashesOf, itemsIn, itemsOf } from "./items";
import { plan, words } from "./plan";
import {
  askItems,
  deleteItems,
  type ItemSet,
  itemsThere,
  readerOf,
  storeItems,
  type StoredSet,
} from "./reconcile";
import { storeItemsState, type StoreItemsState } from "./state";

type Op = AgentServerOperation;

/** Resource kind for the items in one namespace of an agent server's store (`/store/items`). */
export const storeItemsKind = (): AgentServerKind<StoreItemsInputs, StoreItemsState> => ({
  type: "StoreItems",
  endpointType: "agent server",
  idForm: "<namespace>",
  inputs: storeItemsInputs,
  outputs: storeItemsState.outputs,
  omittable: { items: {} },
  readState: storeItemsState.read,
  // The keys of secret items are also secret.
  secretTexts: ({ items, itemHashes }, isSecret) =>
    Object.keys({ ...itemHashes, ...items }).filter((key) => isSecret(`items.${key}`)),
  secretCopies: (_state, isSecret) => (isSecret("items") ? [["itemHashes"]] : []),
  computed: (inputs, { workingFolder }) => computed(inputs, workingFolder),
  checks: () => ({
    compareResources: distinctOwners(),
    rules: () => [],
    questions: [
      askItems(["itemHashes", "index", "ttl"], ({ itemHashes }) =>
        hasUnknown(itemHashes) ? undefined : (itemHashes as Hashes | undefined),
      ),
    ],
  }),
  plan: ({ state, ...question }) => plan({ ...question, state }),
  words,
  create: (op, inputs) => store(op, inputs),
  update: (op, _id, { itemHashes = {}, index, ttl }, inputs) =>
    store(op, inputs, { hashes: itemHashes, index, ttl }),
  read: async (op, id, known) => {
    const namespace = known?.namespace ?? id.split(".");
    const there = await itemsThere(readerOf(op), namespace, known && Object.keys(known.itemHashes ?? {}));
    if (!known && there.size === 0) return undefined;
    const itemHashes = hashesOf(there);
    const inputs: StoreItemsInputs = known
      ? storeItemsState.inputsOf<StoreItemsInputs>(known)
      : { namespace, items: Object.fromEntries(there) };
    return { inputs: { ...inputs, itemHashes }, state: stateOf(op, { ...inputs, itemHashes }) };
  },
  delete: async (op, _id, known) => {
    if (known) await deleteItems(op, { ...known, items: new Map() }, known.itemHashes ?? {});
  },
});

async function store(op: Op, inputs: StoreItemsInputs, before?: StoredSet): Promise<Result<StoreItemsState>> {
  const { hashes, index, ttl, problem } = await storeItems(op, await setOf(op, inputs), before);
  const state = stateOf(op, { ...inputs, index, ttl, itemHashes: { ...hashes } });
  return { id: inputs.namespace.join("."), state, ...(problem && { problem }) };
}

/** Returns the declared items. A folder may have changed since the check, so it is read again. */
async function setOf({ resource }: Op, inputs: StoreItemsInputs): Promise<ItemSet> {
  const { folder, items = {}, allowEmpty } = inputs;
  const found =
    folder === undefined
      ? itemsOf(items)
      : await itemsIn(resolve(resource.workingFolder, folder), allowEmpty);
  return { ...inputs, items: found };
}

function stateOf(op: Op, inputs: StoreItemsInputs): StoreItemsState {
  return storeItemsState.write(op.resource, inputs);
}

/** Returns the hashes of the items if all of them are known and valid. */
async function computed({ items, folder, allowEmpty }: Props, workingFolder: string): Promise<Computed> {
  if (typeof folder === "string") {
    try {
      // An unknown `allowEmpty` may become true.
      const found = await itemsIn(
        resolve(workingFolder, folder),
        allowEmpty === true || hasUnknown(allowEmpty),
      );
      return { values: { itemHashes: hashesOf(found) }, findings: [] };
    } catch (error) {
      if (!AgentServerError.is(error)) throw error;
      return { values: {}, findings: [failure("folder", error.message.replace(/\.$/, ""))] };
    }
  }
  const map = storeItemsInputs.shape.items.safeParse(items);
  if (hasUnknown(items) || !map.data) return { values: {}, findings: [] };
  return { values: { itemHashes: hashesOf(itemsOf(map.data)) }, findings: [] };
}
