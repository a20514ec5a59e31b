import { z } from "zod";
import { jsonObject } from "../resource/inputs/json";
import { requireServer, serverInputs } from "../resource/server";
import { text } from "../resource/inputs/shape";
import { indexInput, namespaceInput, ttlInput } from "../store-item/inputs";

/** Everything a user may say about the items of a namespace. */
export const storeItemsInputs = z
  .strictObject({
    ...serverInputs,
    namespace: namespaceInput,
    items: z.record(text, jsonObject).optional(),
    folder: text.optional(),
    index: indexInput.nullish(),
    ttl: ttlInput.nullish(),
    prune: z.boolean().optional(),
    adopt: z.enum(["never", "ifOwned", "always"]).optional(),
    /** Of the value of each item, by its key: found out by the provider itself. */
    itemHashes: z.record(z.string(), z.string()).optional(),
  })
  .superRefine(requireServer)
  .refine(({ items, folder }) => (items === undefined) !== (folder === undefined), {
    message: "is required, or a folder in its place; only one of the two can be given",
    path: ["items"],
  });

export type StoreItemsInputs = z.infer<typeof storeItemsInputs>;
