import { z } from "@hono/zod-openapi";
import { Flag, Metadata, Minutes, several, Time } from "../schemas";

/**
 * True if the runtime can store the label. The runtime's store joins labels with colons, so a label with a colon would
 * cause a server error.
 */
export const isStorable = (label: string): boolean => !label.includes(":");
export const unstorable = "Labels cannot contain colons in this store";

const Label = z
  .string()
  .min(1, "Labels cannot be empty")
  .refine((label) => !label.includes("."), { message: "Labels cannot contain periods" })
  .refine(isStorable, { message: unstorable });
const Namespace = z.array(Label).min(1, "A namespace must have at least one label");

export const Item = z
  .object({
    namespace: z.array(z.string()),
    key: z.string(),
    value: Metadata,
    created_at: Time,
    updated_at: Time,
  })
  .openapi("Item");

export const StorePut = z
  .looseObject({
    namespace: Namespace,
    key: z.string(),
    value: Metadata,
    index: z.union([z.literal(false), z.array(z.string())]).nullish(),
    ttl: Minutes.nullish(),
  })
  .openapi("StorePutRequest");

export const StoreDelete = z
  .looseObject({ namespace: z.array(Label).optional(), key: z.string() })
  .openapi("StoreDeleteRequest");

/**
 * Query with a namespace, specified either as repeated labels or as a single value in which periods separate the
 * labels.
 */
export const ItemQuery = z.object({
  key: z.string(),
  namespace: several(z.string()).optional(),
  refresh_ttl: Flag.optional(),
});

export const StoreSearch = z
  .looseObject({
    namespace_prefix: z.array(Label).nullish(),
    filter: Metadata.nullish(),
    limit: z.int().min(1).default(10),
    offset: z.int().min(0).default(0),
    query: z.string().nullish(),
    refresh_ttl: z.boolean().nullish(),
  })
  .openapi("StoreSearchRequest");
export const FoundItems = z.object({ items: z.array(Item) }).openapi("SearchItemsResponse");

/** Prefix or suffix of a namespace. If it has no labels, it matches every namespace. */
const Part = z
  .array(z.string().refine(isStorable, { message: unstorable }))
  .transform((labels) => (labels.length > 0 ? labels : undefined))
  .optional();

export const NamespaceList = z
  .looseObject({
    prefix: Part,
    suffix: Part,
    max_depth: z.int().min(1).optional(),
    limit: z.int().min(1).default(100),
    offset: z.int().min(0).default(0),
  })
  .openapi("StoreListNamespacesRequest");
/** Response with namespaces. The published document specifies a plain list, but clients expect this object. */
export const Namespaces = z
  .object({ namespaces: z.array(z.array(z.string())) })
  .openapi("ListNamespaceResponse");
