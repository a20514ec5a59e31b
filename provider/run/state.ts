import { z } from "zod";
import { kindState } from "../resource/kind-state";
import type { ManagedState } from "../resource/managed";
import type { RunInputs } from "./inputs";

const runOutputs = z.object({
  runId: z.string().optional(),
  /** The thread of the run. */
  ranOn: z.string().optional(),
  /** Values of the thread's state when the run ended. */
  output: z.unknown().optional(),
});

/** State of a run: the accepted inputs and the outputs. */
export type RunState = RunInputs & z.infer<typeof runOutputs> & ManagedState;

export const runState = kindState<RunState>("run", runOutputs, 1);
