import { AgentServerError } from "../../errors";
import type { Dialect, DialectName } from "./dialect";
import { interfaceDialect } from "./interface";

export type { Dialect, DialectName } from "./dialect";
export { revisionPhase, type RevisionPhase } from "./phase";
export { interfaceDialect } from "./interface";

const dialects: Record<DialectName, Dialect> = { interface: interfaceDialect };

/** The dialect of that name; `interface` where state names none. */
export function dialectOf(name: string | undefined): Dialect {
  if (name === undefined) return interfaceDialect;
  if (Object.hasOwn(dialects, name)) return dialects[name as DialectName];
  throw new AgentServerError(
    "bad_configuration",
    `The state names the dialect "${name}", which this release does not know; update pulumi-agentserver.`,
  );
}

/**
 * The dialect that a server's `/openapi.json` shows; a server without the document speaks `interface`.
 * @throws AgentServerError `bad_configuration` when it speaks one that this release does not.
 */
export function detectDialect(apiDescription: unknown): Dialect {
  if (apiDescription !== undefined && JSON.stringify(apiDescription).includes('"langgraph_config_path"'))
    throw new AgentServerError(
      "bad_configuration",
      "The control plane names the graph configuration langgraph_config_path; this release speaks only the dialect with graph_config_path.",
    );
  return interfaceDialect;
}
