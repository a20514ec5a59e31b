import { z } from "zod";
import type { ServerSources } from "../resource/checks";
import { warning, type Finding } from "../resource/inputs/finding";
import type { DesiredInputs } from "../resource/inputs/wanted";
import { defaultAssistantOf } from "./default-assistant";

/** What is checked against which schema of the graph. */
const checked = [
  ["context", "context_schema"],
  ["config.configurable", "config_schema"],
] as const;

/**
 * Whether the graph takes the values, by its own schemas. A warning at most: the revision that the same update rolls out may
 * take others.
 */
export async function askSchemas(
  wanted: DesiredInputs,
  { server, isSecret, once, signal }: ServerSources,
): Promise<Finding[]> {
  const graph = wanted.text("graph");
  const changed = checked.filter(([path]) => wanted.known(path) !== undefined && wanted.changes(path));
  // The id is derived from the graph.
  if (graph === undefined || changed.length === 0 || isSecret("graph")) return [];
  const id = defaultAssistantOf(graph);
  // To read them takes a server some time, the first time; what is not known then is not said.
  const schemas = await once(`schemas ${graph}`, () =>
    server.assistants.schemas(id, signal).catch(() => undefined),
  );
  return changed.flatMap(([path, name]) => faultsOf(path, wanted.known(path), schemas?.[name]));
}

function faultsOf(path: string, value: unknown, schema: object | null | undefined): Finding[] {
  const read = schema ? readable(schema) : undefined;
  const issues = read?.safeParse(value).error?.issues ?? [];
  return issues.map(({ path: inside, message }) =>
    warning(
      [path, ...inside.map(String)].join("."),
      `does not fit the schema of the graph: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
    ),
  );
}

/** Not every schema can be read; what cannot is not checked. */
function readable(schema: object): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return undefined;
  }
}
