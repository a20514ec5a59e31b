import { z } from "zod";
import { AgentServerError } from "../../errors";

/**
 * Returns an error handler that returns a result for "not found" errors, including those caused by a malformed ID, and
 * rethrows all other errors.
 */
export function unlessMissing<Answer>(answer: () => Answer): (error: unknown) => Answer {
  return (error) => {
    if (AgentServerError.is(error) && (error.isMissing || error.isInvalid)) return answer();
    throw error;
  };
}

/**
 * True if the string has the format of the IDs that servers assign. Any other string could change the path of the
 * request.
 */
export function isId(text: string): boolean {
  return z.guid().safeParse(text).success;
}
