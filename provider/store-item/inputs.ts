import { z } from "zod";
import { jsonObject } from "../resource/inputs/json";
import { requireServer, serverInputs } from "../resource/server";
import { text } from "../resource/inputs/shape";

/** Labels that lead to an item. Agent servers join them with dots. */
export const namespaceInput = z
  .array(text.regex(/^[^.]*$/, "must not hold a dot"))
  .min(1, "must have one label at least")
  .refine(
    ([first]) => first !== "langgraph",
    "must not begin with langgraph, which agent servers keep for themselves",
  );

/** What an item is found by: false for nothing, or paths in its value. */
export const indexInput = z.union([z.literal(false), z.array(text)]);

/** Minutes after which an item is gone. */
export const ttlInput = z.number().positive("must be more than no time");

/** Everything a user may say about an item of the store. */
export const storeItemInputs = z
  .strictObject({
    ...serverInputs,
    namespace: namespaceInput,
    key: text,
    value: jsonObject,
    index: indexInput.nullish(),
    ttl: ttlInput.nullish(),
    adopt: z.enum(["never", "ifOwned", "always"]).optional(),
  })
  .superRefine(requireServer);

export type StoreItemInputs = z.infer<typeof storeItemInputs>;
