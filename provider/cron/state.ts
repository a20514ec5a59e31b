import { z } from "zod";
import { kindState } from "../resource/kind-state";
import type { ManagedState } from "../resource/managed";
import type { CronInputs } from "./inputs";

/** What the provider adds to the inputs. */
const cronOutputs = z.object({
  /** The next three times at which it fires, as they were when it was looked at last. */
  nextRuns: z.array(z.string()).optional(),
});

/** The resource's whole state: the inputs as accepted, and the outputs. */
export type CronState = CronInputs & z.infer<typeof cronOutputs> & ManagedState;

export const cronState = kindState<CronState>("cron", cronOutputs, 1);
