import type { AgentServerKind } from "../resource/kind";
import { commonWords } from "../resource/plan";
import { cronChecks } from "./checks";
import { cronInputs, type CronInputs } from "./inputs";
import { plan } from "./plan";
import { createCron, deleteCron, readCron, updateCron } from "./reconcile";
import { cronState, type CronState } from "./state";

/** Crons of an agent server: `/runs/crons`. */
export const cronKind = (): AgentServerKind<CronInputs, CronState> => ({
  type: "Cron",
  livesAt: "agent server",
  inputs: cronInputs,
  outputs: cronState.outputs,
  secretMaps: [],
  omittable: { input: undefined, metadata: undefined, context: undefined, config: undefined },
  dispensable: ["nextRuns"],
  readState: cronState.read,
  secretTexts: () => [],
  secretCopies: () => [],
  checks: cronChecks,
  plan: ({ state, ...question }) => plan({ ...question, state }),
  words: commonWords,
  create: createCron,
  read: readCron,
  update: updateCron,
  delete: deleteCron,
});
