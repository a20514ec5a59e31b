import type { AgentServerKind } from "../resource/kind";
import { derivedId } from "../resource/ownership/derived-id";
import { commonWords } from "../resource/plan";
import { assistantChecks } from "./checks";
import { assistantInputs, type AssistantInputs } from "./inputs";
import { plan } from "./plan";
import { createAssistant, deleteAssistant, readAssistant, updateAssistant } from "./reconcile";
import { assistantState, type AssistantState } from "./state";

/** Assistants of an agent server: `/assistants` and their versions. */
export const assistantKind = (): AgentServerKind<AssistantInputs, AssistantState> => ({
  type: "Assistant",
  livesAt: "agent server",
  inputs: assistantInputs,
  outputs: assistantState.outputs,
  secretMaps: [],
  omittable: { metadata: undefined, context: undefined, config: undefined },
  dispensable: [],
  readState: assistantState.read,
  secretTexts: () => [],
  secretCopies: () => [],
  computed: ({ assistantId }, { urn }) =>
    Promise.resolve({
      values: assistantId === undefined ? { assistantId: derivedId(urn) } : {},
      findings: [],
    }),
  checks: assistantChecks,
  plan: ({ state, ...question }) => plan({ ...question, state }),
  words: {
    ...commonWords,
    patch: "changed, which makes a new version",
    "patch?": "changed, which makes a new version, value not known yet",
  },
  create: createAssistant,
  read: (op, id, known) => readAssistant(op, id, known),
  update: updateAssistant,
  delete: deleteAssistant,
});
