import { z } from "zod";
import { kindState } from "../resource/kind-state";
import type { ManagedState } from "../resource/managed";
import type { AssistantInputs } from "./inputs";

/** What the provider adds to the inputs. */
const assistantOutputs = z.object({
  /** The version that is used: the newest one, or the one that is pinned. */
  version: z.int().optional(),
});

/** The resource's whole state: the inputs as accepted, and the outputs. */
export type AssistantState = AssistantInputs & z.infer<typeof assistantOutputs> & ManagedState;

export const assistantState = kindState<AssistantState>("assistant", assistantOutputs, 1);
