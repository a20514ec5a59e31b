import type { ControlPlaneKind } from "../resource/kind";
import { commonWords } from "../resource/plan";
import { listenerInputs, type ListenerInputs } from "./inputs";
import { plan } from "./plan";
import { createListener, deleteListener, readListener, updateListener } from "./reconcile";
import { listenerState, type ListenerState } from "./state";

/** Listeners, which run deployments in clusters of the workspace's own: `/v2/listeners`. */
export const listenerKind = (): ControlPlaneKind<ListenerInputs, ListenerState> => ({
  type: "Listener",
  livesAt: "control plane",
  inputs: listenerInputs,
  outputs: listenerState.outputs,
  secretMaps: [],
  omittable: {},
  dispensable: [],
  readState: listenerState.read,
  secretTexts: () => [],
  secretCopies: () => [],
  checks: () => ({ about: [], rules: () => [], asksByDialect: () => false, questions: [] }),
  plan: ({ state, ...question }) => plan({ ...question, state }),
  words: commonWords,
  create: createListener,
  read: readListener,
  update: updateListener,
  delete: deleteListener,
});
