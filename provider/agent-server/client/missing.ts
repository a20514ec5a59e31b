import { AgentServerError } from "../../errors";

/** Returns a handler that returns this value instead of a 404 error; it rethrows all other errors. */
export function unlessMissing<Instead>(instead: Instead): (error: unknown) => Instead {
  return (error) => {
    if (AgentServerError.is(error) && error.facts.status === 404) return instead;
    throw error;
  };
}
