import { z } from "@hono/zod-openapi";

/** ID in the format of a UUID of any version, as the documented server accepts it. */
export const Uuid = z.guid().openapi({ format: "uuid" });
export const Metadata = z.record(z.string(), z.unknown());
export const Time = z.string().openapi({ format: "date-time" });

/** Lifetime in minutes. The maximum prevents invalid dates. */
export const Minutes = z.number().positive().max(1e9);

/** Returns the query parameters for one page of a list. */
export const page = (most = 1000) => ({
  limit: z.int().min(1).max(most).default(10),
  offset: z.int().min(0).default(0),
});

/** A boolean query parameter. */
export const Flag = z
  .enum(["true", "false", "True", "False", "1", "0", ""])
  .transform((value) => ["true", "True", "1"].includes(value))
  .openapi({ type: "boolean" });

/** Returns the schema for one or more values, as in repeated query parameters. */
export const several = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item), item.transform((value) => [value])]).openapi({ type: "array", items: {} });

/**
 * Part of a checkpoint's name. The runtime would mistake the names of inherited object properties for stored values.
 */
export const CheckpointName = z
  .string()
  .refine((name) => !(name in {}), { message: "Not a checkpoint field" });

export const Checkpoint = z
  .looseObject({
    thread_id: z.string().optional(),
    checkpoint_ns: CheckpointName.nullish(),
    checkpoint_id: CheckpointName.nullish(),
    checkpoint_map: z.record(z.string(), z.unknown()).nullish(),
  })
  .openapi("CheckpointConfig");

export const Config = z
  .looseObject({
    tags: z.array(z.string()).optional(),
    recursion_limit: z.int().optional(),
    configurable: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi("Config");

/** Returns a body without its null fields, because the runtime would reject null as a value of the wrong type. */
export function withoutNulls<Body extends object>(body: Body, ...kept: (keyof Body)[]): Partial<Body> {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== null || kept.includes(name as keyof Body)),
  ) as Partial<Body>;
}

/** Returns the schema for selecting the fields to return. If omitted, all fields are returned. */
export const selection = <Name extends string>(fields: readonly [Name, ...Name[]]) =>
  z
    .array(z.enum(fields))
    .transform((names) => (names.length > 0 ? names : undefined))
    .optional();

/** Returns only the selected fields of each item. */
export function selected<Item extends object>(items: Item[], names: string[] | undefined): Partial<Item>[] {
  if (!names) return items;
  return items.map(
    (item) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name))) as Partial<Item>,
  );
}
