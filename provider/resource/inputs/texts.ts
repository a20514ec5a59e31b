import { z } from "zod";
import { shownAsItIs } from "../plan/display-value";

/** A text that says something. */
export const filled = z
  .string()
  .min(1, { error: "must not be empty", abort: true })
  .regex(/\S/, { error: "must not be blank", abort: true });

/** A text of one line. */
export const text = shownAsItIs(
  filled.regex(/^\P{Cc}*$/u, "must not hold control characters, such as a line break"),
);

/** A text of one line, or null, which clears it where the control plane can. */
export const nullableText = text.nullish();
