import { z } from "zod";
import { jsonObject } from "../resource/inputs/json";
import { adoptInput } from "../resource/ownership/claim";
import { requireServer, serverInputs } from "../resource/server";
import { text } from "../resource/inputs/shape";

/** Labels of a namespace. Agent servers join them with dots. */
export const namespaceInput = z
  .array(text.regex(/^[^.]*$/, "must not contain a dot"))
  .min(1, "must have at least one label")
  .refine(
    ([first]) => first !== "langgraph",
    "must not begin with langgraph, which is reserved for agent servers",
  );

/** Paths within the value to index for search, or `false` to index nothing. */
export const indexInput = z.union([z.literal(false), z.array(text)]);

/** Number of minutes after which an item expires. */
export const ttlInput = z.number().positive("must be positive");

export const storeItemInputs = z
  .strictObject({
    ...serverInputs,
    namespace: namespaceInput,
    key: text,
    value: jsonObject,
    index: indexInput.nullish(),
    ttl: ttlInput.nullish(),
    adopt: adoptInput.optional(),
  })
  .superRefine(requireServer);

export type StoreItemInputs = z.infer<typeof storeItemInputs>;
