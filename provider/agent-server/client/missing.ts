import { AgentServerError } from "../../errors";

/** For a request about one thing: what stands in its place where the server does not know it. */
export function unlessMissing<Instead>(instead: Instead): (error: unknown) => Instead {
  return (error) => {
    if (AgentServerError.is(error) && error.facts.status === 404) return instead;
    throw error;
  };
}
