import { AgentServerError } from "../../errors";
import { dialectNames, dialectTables } from "../../../wire";
import { createHasField } from "./detect";
import { dialectFrom, type Dialect, type DialectName } from "./dialect";

export type { Dialect, DialectName } from "./dialect";
export { revisionPhase } from "./phase";

/** The interface document's own dialect. */
export const interfaceDialect: Dialect = dialectFrom(dialectTables.interface);

/** The dialect of the public service. */
export const langsmithDialect: Dialect = dialectFrom(dialectTables.langsmith);

const dialects: Record<DialectName, Dialect> = { interface: interfaceDialect, langsmith: langsmithDialect };

/** Every dialect. */
export const allDialects: readonly Dialect[] = Object.values(dialects);

/** The dialect of that name, as a state has it. @throws AgentServerError `bad_configuration` for one of a later release */
export function dialectOf(name: string): Dialect {
  if (Object.hasOwn(dialects, name)) return dialects[name as DialectName];
  throw new AgentServerError(
    "bad_configuration",
    `The state names the dialect "${name}", which this release does not know; update pulumi-agentserver.`,
  );
}

/** The name of a dialect as it stands in configuration. @throws AgentServerError `bad_configuration` for any other */
export function dialectNameIn(setting: string): DialectName {
  if (Object.hasOwn(dialects, setting)) return setting as DialectName;
  throw new AgentServerError(
    "bad_configuration",
    `agentserver:dialect (AGENTSERVER_DIALECT) is "${setting}"; it must be ${dialectNames.join(" or ")}. Leave it out to find out from the control plane's /openapi.json.`,
  );
}

/**
 * The dialect that a server's `/openapi.json` shows by how its create names the graph configuration; a server without
 * the document speaks `interface`.
 */
export function detectDialect(apiDescription: unknown): Dialect {
  const { graphConfigField } = langsmithDialect.table;
  return createHasField(apiDescription, graphConfigField) ? langsmithDialect : interfaceDialect;
}
