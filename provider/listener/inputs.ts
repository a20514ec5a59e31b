import { z } from "zod";
import { text } from "../resource/inputs/shape";

/** Everything a user may say about a listener. */
export const listenerInputs = z.strictObject({
  computeId: text,
  namespaces: z.array(text).min(1, "must have one namespace at least"),
  version: text.optional(),
  adopt: z.enum(["never", "ifOwned", "always"]).optional(),
});

export type ListenerInputs = z.infer<typeof listenerInputs>;
