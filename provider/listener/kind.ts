import type { Listener } from "../control-plane/client/listeners";
import { isSameJson } from "../resource/inputs/json";
import type { ControlPlaneKind } from "../resource/kind";
import type { ControlPlaneOperation } from "../resource/operation";
import { commonWords } from "../resource/plan";
import { managed, planByFields, type FieldEffect } from "../resource/plan/field-plan";
import { taggedOperations } from "../resource/tagged";
import { sendOrDetect } from "../resource/write";
import { listenerInputs, type ListenerInputs } from "./inputs";
import { listenerState, type ListenerState } from "./state";

const effects: Readonly<Record<string, FieldEffect>> = {
  computeId: "replace",
  namespaces: "patch",
  version: managed("patch"),
  adopt: "state",
};

const plan: ControlPlaneKind<ListenerInputs, ListenerState>["plan"] = (question) =>
  // A cluster has one listener per workspace.
  planByFields(effects, question, (changes) => !changes.some(({ path }) => path === "computeId"));

/**
 * Operations on listeners (`/v2/listeners`). The API has no field for an ownership tag. There is one listener per
 * cluster and workspace.
 */
const operations = taggedOperations<ControlPlaneOperation, ListenerInputs, ListenerState, Listener>({
  noun: "Listener",
  alternative: "use another `computeId`",
  state: listenerState,
  rules: { computeId: {}, namespaces: { isSame: isSameSet }, version: {} },
  plan: ({ state, ...question }) => plan({ ...question, state: state as ListenerState }),
  idOf: ({ id }) => id,
  nameOf: ({ computeId }) => computeId,
  reported: ({ computeId, namespaces, version }) => ({ computeId, namespaces, version }),
  searchesFirst: true,
  find: ({ plane, time }, id) => plane.client.listeners.find(id, time.signal),
  findExisting: async ({ plane, time }, { computeId }) =>
    (await plane.client.listeners.list(time.signal)).find((listener) => listener.computeId === computeId),
  create: ({ plane }, { computeId, ...inputs }) =>
    plane.client.listeners.create({ compute_type: "k8s", compute_id: computeId, ...bodyOf(inputs) }),
  patch: ({ plane, time }, { id }, { wanted }) =>
    sendOrDetect(time, { send: () => plane.client.listeners.update(id, bodyOf(wanted)), isRepeatable: true }),
  delete: ({ plane }, { id }) => plane.client.listeners.delete(id),
});

function bodyOf({ namespaces, version }: Pick<ListenerInputs, "namespaces" | "version">) {
  return { compute_config: { k8s_namespaces: namespaces }, ...(version !== undefined && { version }) };
}

/** True if two lists contain the same namespaces, in any order. */
function isSameSet(one: unknown, other: unknown): boolean {
  const sorted = (value: unknown) => (Array.isArray(value) ? value.map(String).sort() : value);
  return isSameJson(sorted(one), sorted(other));
}

/** Resource kind for listeners, which run deployments in the workspace's clusters. */
export const listenerKind = (): ControlPlaneKind<ListenerInputs, ListenerState> => ({
  type: "Listener",
  endpointType: "control plane",
  inputs: listenerInputs,
  outputs: listenerState.outputs,
  readState: listenerState.read,
  checks: () => ({ about: [], rules: () => [], dependsOnDialect: () => false, questions: [] }),
  plan,
  words: commonWords,
  ...operations,
});
