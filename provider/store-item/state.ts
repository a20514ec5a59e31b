import { z } from "zod";
import { kindState } from "../resource/kind-state";
import type { ManagedState } from "../resource/managed";
import type { StoreItemInputs } from "./inputs";

/** State of an item: the accepted inputs. */
export type StoreItemState = StoreItemInputs & ManagedState;

export const storeItemState = kindState<StoreItemState>("store item", z.object({}), 1);
