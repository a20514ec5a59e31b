import { AgentServerError } from "../../errors";

/** Returns an error handler that converts a 404 error to this value and rethrows all other errors. */
export function unlessMissing<Instead>(instead: Instead): (error: unknown) => Instead {
  return (error) => {
    if (AgentServerError.is(error) && error.facts.status === 404) return instead;
    throw error;
  };
}
