import { z } from "zod";
import { kindState } from "../resource/kind-state";
import type { ManagedState } from "../resource/managed";
import type { RunInputs } from "./inputs";

/** What the provider adds to the inputs. */
const runOutputs = z.object({
  runId: z.string().optional(),
  /** The thread that it ran on. */
  ranOn: z.string().optional(),
  /** The values of the thread's state when it had ended. */
  output: z.unknown().optional(),
});

/** The resource's whole state: the inputs as accepted, and the outputs. */
export type RunState = RunInputs & z.infer<typeof runOutputs> & ManagedState;

export const runState = kindState<RunState>("run", runOutputs, 1);
