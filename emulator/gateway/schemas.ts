import { z } from "@hono/zod-openapi";

/** Loose: whatever has the form of a UUID, as the documented server takes it. */
export const Uuid = z.guid().openapi({ format: "uuid" });
export const Metadata = z.record(z.string(), z.unknown());
export const Time = z.string().openapi({ format: "date-time" });

/** Lifetime in minutes. The maximum keeps dates valid. */
export const Minutes = z.number().positive().max(1e9);

/** A part of a list. */
export const page = (most = 1000) => ({
  limit: z.int().min(1).max(most).default(10),
  offset: z.int().min(0).default(0),
});

/** A yes or no in a query. */
export const Flag = z
  .enum(["true", "false", "True", "False", "1", "0", ""])
  .transform((value) => ["true", "True", "1"].includes(value))
  .openapi({ type: "boolean" });

/** One value or several, as repeated query parameters are. */
export const several = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item), item.transform((value) => [value])]).openapi({ type: "array", items: {} });

/** Part of a checkpoint's name. The runtime takes names that every object has for something that it keeps. */
export const CheckpointName = z.string().refine((name) => !(name in {}), { message: "Not of a checkpoint" });

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

/** A body without what is null: to the runtime a null is a value of the wrong type. */
export function withoutNulls<Body extends object>(body: Body, ...kept: (keyof Body)[]): Partial<Body> {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== null || kept.includes(name as keyof Body)),
  ) as Partial<Body>;
}

/** Names of fields to return; none means all. */
export const selection = <Name extends string>(fields: readonly [Name, ...Name[]]) =>
  z
    .array(z.enum(fields))
    .transform((names) => (names.length > 0 ? names : undefined))
    .optional();

/** Only the named fields of each. */
export function selected<Item extends object>(items: Item[], names: string[] | undefined): Partial<Item>[] {
  if (!names) return items;
  return items.map(
    (item) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name))) as Partial<Item>,
  );
}
