import { z } from "zod";
import { AgentServerError } from "../../errors";

/** Takes "there is no such thing" for an answer, also where the id is not even one; other failures stay failures. */
export function unlessMissing<Answer>(answer: () => Answer): (error: unknown) => Answer {
  return (error) => {
    if (AgentServerError.is(error) && (error.isMissing || error.isInvalid)) return answer();
    throw error;
  };
}

/** Whether it is an id as servers make them; anything else would lead to another path. */
export function isId(text: string): boolean {
  return z.guid().safeParse(text).success;
}
