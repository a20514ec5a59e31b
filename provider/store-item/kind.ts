import type { AgentServerKind } from "../resource/kind";
import { commonWords } from "../resource/plan";
import { storeItemInputs, type StoreItemInputs } from "./inputs";
import { plan } from "./plan";
import { createStoreItem, deleteStoreItem, readStoreItem, updateStoreItem } from "./reconcile";
import { storeItemState, type StoreItemState } from "./state";

/** Items of an agent server's store: `/store/items`. */
export const storeItemKind = (): AgentServerKind<StoreItemInputs, StoreItemState> => ({
  type: "StoreItem",
  livesAt: "agent server",
  inputs: storeItemInputs,
  outputs: storeItemState.outputs,
  secretMaps: [],
  omittable: { value: {} },
  readState: storeItemState.read,
  secretTexts: () => [],
  secretCopies: () => [],
  checks: () => ({ rules: () => [], questions: [] }),
  plan: ({ state, ...question }) => plan({ ...question, state }),
  words: {
    ...commonWords,
    patch: "put into the store again",
    "patch?": "put into the store again, value not known yet",
  },
  create: createStoreItem,
  read: readStoreItem,
  update: updateStoreItem,
  delete: deleteStoreItem,
});
