import type { z } from "zod";

/** Returns a schema for the same record that also requires this ID, because later steps depend on it. */
export function withId<Record extends { id: string }>(
  schema: z.ZodType<Record>,
  id: string,
): z.ZodType<Record> {
  return schema.refine((record) => record.id.toLowerCase() === id.toLowerCase(), {
    message: "is not the requested record",
    path: ["id"],
  });
}
