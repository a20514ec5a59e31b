import { z } from "zod";
import { kindState } from "../resource/kind-state";
import type { ManagedState } from "../resource/managed";
import type { ThreadInputs } from "./inputs";

/** State of a thread: the accepted inputs. */
export type ThreadResourceState = ThreadInputs & ManagedState;

export const threadState = kindState<ThreadResourceState>("thread", z.object({}), 1);
