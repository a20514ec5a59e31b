import { z } from "zod";
import { kindState } from "../resource/kind-state";
import type { ManagedState } from "../resource/managed";
import type { AssistantInputs } from "./inputs";

const assistantOutputs = z.object({
  /** The version in use: the newest one, or the pinned one. */
  version: z.int().optional(),
  /** Metadata keys to remove when the version is no longer pinned. */
  unsentRemovals: z.array(z.string()).optional(),
});

/** State of an assistant: the accepted inputs and the outputs. */
export type AssistantState = AssistantInputs & z.infer<typeof assistantOutputs> & ManagedState;

export const assistantState = kindState<AssistantState>("assistant", assistantOutputs, 1);
