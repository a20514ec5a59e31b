import { z } from "zod";
import type { ServerSources } from "../resource/checks";
import { warning, type Finding } from "../resource/inputs/finding";
import type { DesiredInputs } from "../resource/inputs/wanted";
import { defaultAssistantOf } from "./default-assistant";

/** Inputs to check, each paired with the field that contains the graph's schema for the input. */
const checked = [
  ["context", "context_schema"],
  ["config.configurable", "config_schema"],
] as const;

/**
 * Checks the values against the schemas of the graph. Reports only warnings, because a revision that the same update
 * rolls out may have different schemas.
 */
export async function checkSchemas(
  wanted: DesiredInputs,
  { server, isSecret, once, signal }: ServerSources,
): Promise<Finding[]> {
  const graph = wanted.text("graph");
  const changed = checked.filter(([path]) => wanted.knownValue(path) !== undefined && wanted.changes(path));
  // The request would reveal a secret graph, because the assistant ID is derived from the graph.
  if (graph === undefined || changed.length === 0 || isSecret("graph")) return [];
  const id = defaultAssistantOf(graph);
  // The first request for the schemas can be slow. Without a response there are no findings.
  const schemas = await once(`schemas ${graph}`, () =>
    server.assistants.schemas(id, signal).catch(() => undefined),
  );
  return changed.flatMap(([path, name]) => findMismatches(path, wanted.knownValue(path), schemas?.[name]));
}

function findMismatches(path: string, value: unknown, schema: object | null | undefined): Finding[] {
  const read = schema ? parseSchema(schema) : undefined;
  const issues = read?.safeParse(value).error?.issues ?? [];
  return issues.map(({ path: inside, message }) =>
    warning(
      [path, ...inside.map(String)].join("."),
      `does not match the schema of the graph: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
    ),
  );
}

/** Returns a schema as a validator; `undefined` if the schema cannot be parsed, so that values are not validated. */
function parseSchema(schema: object): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return undefined;
  }
}
