import { AgentServerError } from "../../errors";
import { dialectNames, dialectTables } from "../../../wire";
import { createHasField } from "./detect";
import { dialectFrom, type Dialect, type DialectName } from "./dialect";

export type { Dialect, DialectName } from "./dialect";
export { revisionPhase } from "./phase";

/** The `interface` dialect, which the interface document describes. */
export const interfaceDialect: Dialect = dialectFrom(dialectTables.interface);

/** The `langsmith` dialect, which the public service uses. */
export const langsmithDialect: Dialect = dialectFrom(dialectTables.langsmith);

const dialects: Record<DialectName, Dialect> = { interface: interfaceDialect, langsmith: langsmithDialect };

/** All supported dialects. */
export const allDialects: readonly Dialect[] = Object.values(dialects);

/**
 * Returns the dialect with this name, as stored in state.
 * @throws AgentServerError `bad_configuration` for a dialect from a later release
 */
export function dialectOf(name: string): Dialect {
  if (Object.hasOwn(dialects, name)) return dialects[name as DialectName];
  throw new AgentServerError(
    "bad_configuration",
    `The state contains the "${name}" dialect, which this release does not support; update pulumi-agentserver.`,
  );
}

/**
 * Returns the dialect name that a setting contains.
 * @param name name of the setting, for the error
 * @throws AgentServerError `bad_configuration` for any other string
 */
export function dialectNameIn(setting: string, name: string): DialectName {
  if (Object.hasOwn(dialects, setting)) return setting as DialectName;
  throw new AgentServerError(
    "bad_configuration",
    `${name} is "${setting}"; it must be ${dialectNames.join(" or ")}. Omit it to detect the dialect from the control plane's /openapi.json.`,
  );
}

/**
 * Detects the dialect from a server's `/openapi.json`, based on the name of the graph configuration field in the create
 * operation. If a server does not publish the document, the dialect is `interface`.
 */
export function detectDialect(apiDescription: unknown): Dialect {
  const { graphConfigField } = langsmithDialect.table;
  return createHasField(apiDescription, graphConfigField) ? langsmithDialect : interfaceDialect;
}
