import { z } from "zod";
import { AgentServerError } from "../../errors";

/** Returns a handler that treats "not found" as a result, even for a malformed id; it rethrows all other errors. */
export function unlessMissing<Answer>(answer: () => Answer): (error: unknown) => Answer {
  return (error) => {
    if (AgentServerError.is(error) && (error.isMissing || error.isInvalid)) return answer();
    throw error;
  };
}

/**
 * True if the string has the format of the ids that servers assign. Any other string would change the path of the
 * request.
 */
export function isId(text: string): boolean {
  return z.guid().safeParse(text).success;
}
