import { z } from "zod";

/** One item of a 422 body. */
export const validationItem = z.object({
  loc: z.array(z.union([z.string(), z.number().int()])),
  msg: z.string(),
  type: z.string(),
});

/** Body of a 422 (`HTTPValidationError`). */
export const validationFailure = z.object({ detail: z.array(validationItem) });

/** Body of every other failure. */
export const failure = z.object({ detail: z.string() });

export type ValidationItem = z.infer<typeof validationItem>;
