import type { AssistantRecord } from "../agent-server/wire";
import { AgentServerError } from "../errors";
import type { AgentServerKind } from "../resource/kind";
import type { AgentServerOperation } from "../resource/operation";
import { startAgain } from "../resource/guard";
import { keptOrDerivedId } from "../resource/ownership/derived-id";
import { emptyTag, ownerIn, withoutTag } from "../resource/ownership/owner-tag";
import { commonWords } from "../resource/plan";
import { managed, planByFields, type FieldEffects, replacesInPlace } from "../resource/plan/field-plan";
import { taggedOperations } from "../resource/tagged";
import { sendOrDetect } from "../resource/write";
import { assistantChecks } from "./checks";
import { defaultAssistantOf } from "./default-assistant";
import { assistantInputs, type AssistantInputs } from "./inputs";
import { isPatched, isSameConfig, reported, toPatch, toWire, unclearedFields } from "./mapping";
import { assistantState, type AssistantState } from "./state";

const effects: FieldEffects = {
  assistantId: "replace",
  graph: "patch",
  name: managed("patch"),
  description: managed("patch"),
  config: { map: managed("patch") },
  context: managed("patch"),
  metadata: { map: managed("patch") },
  pinVersion: (from, to) => (from || to ? "patch" : "state"),
  adopt: "state",
};

/** Effects of changes while a version is pinned. Most changes are then stored only in state. */
const effectsWhilePinned: typeof effects = {
  ...Object.fromEntries(Object.keys(effects).map((field) => [field, "state" as const])),
  assistantId: "replace",
  pinVersion: "patch",
};

const plan: AgentServerKind<AssistantInputs, AssistantState>["plan"] = (question) =>
  planByFields(
    question.wanted.pinVersion ? effectsWhilePinned : effects,
    question,
    replacesInPlace("assistantId"),
    ["version", "unsentRemovals"],
  );

/** Operations on assistants (`/assistants` of an agent server) and their versions. */
const operations = taggedOperations<AgentServerOperation, AssistantInputs, AssistantState, AssistantRecord>({
  noun: "Assistant",
  alternative: "use another `assistantId`",
  state: assistantState,
  rules: {
    assistantId: {},
    graph: {},
    name: {},
    description: {},
    config: { counts: "entries", isSame: isSameConfig },
    context: {},
    metadata: { counts: "entries" },
    pinVersion: {},
  },
  plan: ({ state, ...question }) => plan({ ...question, state: state as AssistantState }),
  idOf: ({ assistant_id: id }) => id,
  nameOf: ({ name }) => name,
  metadataOf: ({ metadata }) => metadata,
  isOfServer: isDefault,
  reported,
  // Pinning a version restores the values of that version, including its tag.
  keepsTag: ({ pinVersion }) => Boolean(pinVersion),
  managed: (state) => {
    const inputs = assistantState.inputsOf<AssistantInputs>(state);
    const removed = Object.fromEntries((state.unsentRemovals ?? []).map((key) => [key, null]));
    return {
      ...inputs,
      ...(inputs.metadata !== undefined && { metadata: { ...removed, ...inputs.metadata } }),
    };
  },
  outputs: (inputs, { version, metadata }, _op, before) => ({
    ...(typeof version === "number" && { version }),
    ...(inputs.pinVersion && before && { unsentRemovals: unsentRemovals(inputs, metadata, before) }),
  }),
  find: ({ server, time }, id) => server.assistants.find(id, time.signal),
  findExisting: ({ server, time }, { assistantId }) => server.assistants.find(assistantId!, time.signal),
  create: ({ server }, inputs, tag) =>
    server.assistants.create(inputs.assistantId!, {
      ...toWire(inputs),
      metadata: { ...inputs.metadata, ...tag },
    }),
  complete: pin,
  patch: async (op, stored, patch) => {
    const body = toPatch(stored, patch);
    if (Object.keys(body).length === 0) return pin(op, patch.wanted, stored);
    const { server, time } = op;
    // An additional version would be visible, so the request is repeated only if the previous one did not create a
    // version.
    const patched = await sendOrDetect(time, {
      send: () => server.assistants.update(stored.assistant_id, body),
      check: async () => {
        const found = await server.assistants.find(stored.assistant_id, time.signal);
        if (!found || found.version === stored.version) return undefined;
        // Otherwise, others have created the version, so the request may not have been processed.
        return isPatched(body, found) ? found : startAgain(time);
      },
    });
    const uncleared = unclearedFields(body, patch.current, stored, patched);
    if (uncleared.length > 0)
      throw new AgentServerError(
        "unexpected_response",
        `The agent server accepted the change to assistant ${stored.assistant_id} but did not clear ${uncleared.map((field) => `\`${field}\``).join(" and ")}. Specify a value instead, or replace the assistant with \`pulumi up --replace URN\`.`,
      );
    return pin(op, patch.wanted, patched);
  },
  delete: async ({ server, report }, stored) => {
    const id = stored.assistant_id;
    if (!isDefault(stored)) return server.assistants.delete(id);
    report.log(
      "info",
      `Assistant ${id} is the default assistant of its graph, so it was not deleted; only its ownership tag was removed.`,
    );
    await server.assistants.update(id, { metadata: emptyTag });
  },
});

function isDefault({ assistant_id: id, graph_id: graph }: AssistantRecord): boolean {
  return id === defaultAssistantOf(graph);
}

/**
 * Activates the pinned version.
 * @throws AgentServerError `immutable_field` if that version does not have the ownership tag of this resource, because
 * the resource would then no longer own the assistant
 */
async function pin(
  { server, resource }: AgentServerOperation,
  { pinVersion }: AssistantInputs,
  stored: AssistantRecord,
): Promise<AssistantRecord> {
  if (!pinVersion) return stored;
  const { assistant_id: id, version } = stored;
  const isPinned = version === pinVersion;
  const pinned = isPinned
    ? stored
    : await server.assistants.useVersion(id, pinVersion).catch((error: unknown) => {
        if (!AgentServerError.is(error) || error.facts.status !== 404) throw error;
        throw new AgentServerError(
          "request_refused",
          `Assistant ${id} has no version ${pinVersion}; its newest one is ${version}. Correct pinVersion.`,
          error.facts,
        );
      });
  if (pinned.metadata == null || ownerIn(pinned.metadata, resource).owner === "this") return pinned;
  // Restores the previous version without an ownership check, because the version that is now in use has a different
  // owner.
  if (!isPinned && typeof version === "number") await server.unguarded().assistants.useVersion(id, version);
  throw new AgentServerError(
    "immutable_field",
    `Version ${pinVersion} of assistant ${id} cannot be pinned, because it was created before this resource became the owner: each version keeps its own ownership tag. Remove \`pinVersion\`, or pin a version that this resource has created.`,
  );
}

/**
 * Returns the metadata keys to remove when the version is no longer pinned: keys that the program has removed in the
 * meantime, and keys that the pinned version has restored.
 */
function unsentRemovals(
  { metadata: wanted }: AssistantInputs,
  pinned: AssistantRecord["metadata"],
  { state, stored }: { state: AssistantState; stored: AssistantRecord },
): string[] {
  if (wanted === undefined) return [];
  const before = withoutTag(stored.metadata);
  const broughtBack = Object.keys(withoutTag(pinned)).filter((key) => !Object.hasOwn(before, key));
  const keys = new Set([
    ...(state.unsentRemovals ?? []),
    ...Object.keys(state.metadata ?? {}),
    ...broughtBack,
  ]);
  return [...keys].filter((key) => !Object.hasOwn(wanted ?? {}, key));
}

/** Resource kind for assistants on an agent server. */
export const assistantKind = (): AgentServerKind<AssistantInputs, AssistantState> => ({
  type: "Assistant",
  endpointType: "agent server",
  idForm: "<assistant ID>",
  inputs: assistantInputs,
  outputs: assistantState.outputs,
  tagOutputs: ["version"],
  readState: assistantState.read,
  computed: keptOrDerivedId("assistantId"),
  checks: assistantChecks,
  plan,
  words: {
    ...commonWords,
    patch: "changed, which creates a new version",
    "patch?": "changed, which creates a new version (value not known yet)",
  },
  ...operations,
});
