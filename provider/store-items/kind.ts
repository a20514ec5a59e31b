import { resolve } from "node:path";
import { AgentServerError } from "../errors";
import { failure } from "../resource/inputs/finding";
import type { AgentServerKind, Computed } from "../resource/kind";
import { hasUnknown } from "../resource/inputs/unknown";
import type { Props } from "../resource/inputs/values";
import { storeItemsInputs, type StoreItemsInputs } from "./inputs";
import { hashesOf, itemsIn, itemsOf } from "./items";
import { plan, words } from "./plan";
import { createStoreItems, deleteStoreItems, readStoreItems, updateStoreItems } from "./reconcile";
import { storeItemsState, type StoreItemsState } from "./state";

/** The items of one namespace of an agent server's store: `/store/items`. */
export const storeItemsKind = (): AgentServerKind<StoreItemsInputs, StoreItemsState> => ({
  type: "StoreItems",
  livesAt: "agent server",
  inputs: storeItemsInputs,
  outputs: storeItemsState.outputs,
  secretMaps: [],
  omittable: { items: {} },
  readState: storeItemsState.read,
  secretTexts: () => [],
  secretCopies: () => [],
  computed: (inputs, { workingFolder }) => computed(inputs, workingFolder),
  checks: () => ({ rules: () => [], questions: [] }),
  plan: ({ state, ...question }) => plan({ ...question, state }),
  words,
  create: createStoreItems,
  read: readStoreItems,
  update: updateStoreItems,
  delete: deleteStoreItems,
});

/** The hashes of the items, where all of them are known and of a right shape. */
async function computed({ items, folder }: Props, workingFolder: string): Promise<Computed> {
  const nothing = { values: {}, findings: [] };
  if (typeof folder === "string") {
    try {
      return {
        values: { itemHashes: hashesOf(await itemsIn(resolve(workingFolder, folder))) },
        findings: [],
      };
    } catch (error) {
      if (!AgentServerError.is(error)) throw error;
      return { values: {}, findings: [failure("folder", error.message.replace(/\.$/, ""))] };
    }
  }
  const map = storeItemsInputs.shape.items.safeParse(items);
  if (hasUnknown(items) || !map.data) return nothing;
  return { values: { itemHashes: hashesOf(itemsOf(map.data)) }, findings: [] };
}
