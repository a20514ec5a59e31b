import type { z } from "zod";

/** The same record, which must be the one that was asked for: what follows depends on it. */
export function withId<Record extends { id: string }>(
  schema: z.ZodType<Record>,
  id: string,
): z.ZodType<Record> {
  return schema.refine((record) => record.id.toLowerCase() === id.toLowerCase(), {
    message: "is of another record than the one that was asked for",
    path: ["id"],
  });
}
