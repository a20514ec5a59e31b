import type { z } from "zod";

/**
 * A text that a reviewer sees as it is sent. Joiners stay allowed: emoji and some scripts are written with them.
 */
export function shownAsItIs(text: z.ZodString): z.ZodString {
  return text
    .regex(/^\P{Cs}*$/u, "must not hold half a character (a lone surrogate)")
    .regex(
      /^[^\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]*$/,
      "must not hold invisible characters or marks that turn the direction of text: it would not be what it looks like",
    );
}
