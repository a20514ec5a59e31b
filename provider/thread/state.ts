import { z } from "zod";
import { kindState } from "../resource/kind-state";
import type { ManagedState } from "../resource/managed";
import type { ThreadInputs } from "./inputs";

/** The resource's whole state: the inputs as accepted. */
export type ThreadResourceState = ThreadInputs & ManagedState;

export const threadState = kindState<ThreadResourceState>("thread", z.object({}), 1);
