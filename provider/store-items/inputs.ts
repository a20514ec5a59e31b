import { z } from "zod";
import { jsonObject } from "../resource/inputs/json";
import { adoptInput } from "../resource/ownership/claim";
import { requireServer, serverInputs } from "../resource/server";
import { text } from "../resource/inputs/shape";
import { indexInput, namespaceInput, ttlInput } from "../store-item/inputs";

/** Inputs of the items in one namespace. */
export const storeItemsInputs = z
  .strictObject({
    ...serverInputs,
    namespace: namespaceInput,
    items: z.record(text, jsonObject).optional(),
    folder: text.optional(),
    allowEmpty: z.boolean().optional(),
    index: indexInput.nullish(),
    ttl: ttlInput.nullish(),
    prune: z.boolean().optional(),
    adopt: adoptInput.optional(),
    /** Hash of the value of each item, by key; computed by the provider. */
    itemHashes: z.record(z.string(), z.string()).optional(),
  })
  .superRefine(requireServer)
  .refine(({ items, folder }) => (items === undefined) !== (folder === undefined), {
    message: "is required unless folder is specified, and cannot be combined with it",
    path: ["items"],
  });

export type StoreItemsInputs = z.infer<typeof storeItemsInputs>;
