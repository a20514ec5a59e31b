import { z } from "zod";
import { kindState } from "../resource/kind-state";
import type { ManagedState } from "../resource/managed";
import type { StoreItemsInputs } from "./inputs";

/** State of the items: the accepted inputs. */
export type StoreItemsState = StoreItemsInputs & ManagedState;

export const storeItemsState = kindState<StoreItemsState>("set of store items", z.object({}), 1);
