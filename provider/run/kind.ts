import type { AgentServerKind } from "../resource/kind";
import { runInputs, type RunInputs } from "./inputs";
import { plan, words } from "./plan";
import { createRun, deleteRun, readRun, updateRun } from "./reconcile";
import { runState, type RunState } from "./state";

/** Runs of an agent server as actions: `/threads/{thread_id}/runs`. */
export const runKind = (): AgentServerKind<RunInputs, RunState> => ({
  type: "Run",
  livesAt: "agent server",
  inputs: runInputs,
  outputs: runState.outputs,
  secretMaps: [],
  omittable: { input: undefined, context: undefined, config: undefined, metadata: undefined },
  dispensable: ["output"],
  readState: runState.read,
  secretTexts: () => [],
  // What comes out may say what went in.
  secretCopies: ({ output }, isSecret) =>
    output !== undefined && ["input", "context", "config"].some(isSecret) ? [["output"]] : [],
  checks: () => ({ rules: () => [], questions: [] }),
  plan: ({ state, ...question }) => plan({ ...question, state }),
  words,
  create: createRun,
  read: readRun,
  update: updateRun,
  delete: deleteRun,
});
