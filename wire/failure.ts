import { z } from "zod";

/** One item in the body of a 422 response. */
export const validationItem = z.object({
  loc: z.array(z.union([z.string(), z.number().int()])),
  msg: z.string(),
  type: z.string(),
});

/** Body of a 422 response (`HTTPValidationError`). */
export const validationFailure = z.object({ detail: z.array(validationItem) });

/** Body of all other error responses. */
export const failure = z.object({ detail: z.string() });

export type ValidationItem = z.infer<typeof validationItem>;
