import { checkAssistant } from "../assistant/assistant-question";
import { notKnownYet } from "../resource/inputs/unknown";
import type { AgentServerKind, PlanQuestion } from "../resource/kind";
import { distinctOwners } from "../resource/ownership/derived-id";
import { commonWords } from "../resource/plan";
import { changesConnection, planByFields, type FieldEffect } from "../resource/plan/field-plan";
import { runInputs, type RunInputs } from "./inputs";
import { createRun, deleteRun, readRun, updateRun } from "./reconcile";
import { runState, type RunState } from "./state";

const effects: Readonly<Record<string, FieldEffect>> = {
  triggers: "patch",
  assistant: "state",
  threadId: "state",
  input: "state",
  command: "state",
  config: "state",
  context: "state",
  metadata: "state",
};

/**
 * Plans another run if an input changed, or if the first run has not succeeded. In the latter case, the state does not
 * contain the thread of the run.
 */
function plan(question: PlanQuestion<RunInputs, RunState>) {
  const { ranOn = notKnownYet } = question.state;
  const wanted = { ...question.wanted, ranOn };
  const all = { ...effects, ranOn: "patch" as const };
  return planByFields(all, { ...question, wanted }, changesConnection, ["runId", "ranOn", "output"]);
}

/**
 * Resource kind for runs on an agent server (`/threads/{thread_id}/runs`). A run is an action, not an object that can
 * be updated.
 */
export const runKind = (): AgentServerKind<RunInputs, RunState> => ({
  type: "Run",
  endpointType: "agent server",
  inputs: runInputs,
  outputs: runState.outputs,
  restorableOutputs: ["output"],
  readState: runState.read,
  // The output may contain any of the inputs.
  secretCopies: (_state, isSecret) => [
    ...(Object.keys(effects).some(isSecret) ? [["output"]] : []),
    ...(isSecret("threadId") ? [["ranOn"]] : []),
  ],
  checks: () => ({
    compareResources: distinctOwners(),
    rules: () => [],
    questions: [
      (wanted, sources) =>
        wanted.isNew || wanted.changes("triggers") ? checkAssistant(wanted, sources) : Promise.resolve([]),
    ],
  }),
  plan,
  words: {
    ...commonWords,
    patch: "runs again",
    "patch?": "may run again (value not known yet)",
    state: "is used by the next run (no request is sent)",
    "state?": "is used by the next run (no request is sent, value not known yet)",
  },
  create: (op, inputs, predecessor) => createRun(op, inputs, predecessor),
  read: readRun,
  update: updateRun,
  delete: (op, _id, known, _successor, replacement) => deleteRun(op, known, replacement?.inputs),
});
