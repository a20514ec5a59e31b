import { z } from "zod";
import { text, unclearable } from "../resource/inputs/shape";
import { adoptInput } from "../resource/ownership/claim";

export const listenerInputs = z.strictObject({
  computeId: text,
  namespaces: z.array(text).min(1, "must have at least one namespace"),
  version: unclearable(text, "the control plane API does not support clearing it"),
  adopt: adoptInput.optional(),
});

export type ListenerInputs = z.infer<typeof listenerInputs>;
