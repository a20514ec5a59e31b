import { z } from "zod";
import { kindState } from "../resource/kind-state";
import type { ManagedState } from "../resource/managed";
import type { StoreItemInputs } from "./inputs";

/** The resource's whole state: the inputs as accepted. */
export type StoreItemState = StoreItemInputs & ManagedState;

export const storeItemState = kindState<StoreItemState>("store item", z.object({}), 1);
