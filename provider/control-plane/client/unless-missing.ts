import { z } from "zod";
import { AgentServerError } from "../../errors";

/**
 * Returns an error handler. For a "not found" error, including one caused by a malformed ID, the handler returns the
 * result of `answer`. It rethrows all other errors.
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
