import type { AgentServerChecks, ServerSources } from "../resource/checks";
import { warning, type Finding } from "../resource/inputs/finding";
import type { DesiredInputs } from "../resource/inputs/wanted";
import { distinctIds } from "../resource/ownership/derived-id";
import { assistantFact } from "./assistant-question";
import { checkSchemas } from "./schema-question";

/** Returns the checks that a run applies to assistants. */
export function assistantChecks(): AgentServerChecks {
  return {
    compareResources: distinctIds("assistantId"),
    rules: (wanted) =>
      wanted.isNew && (wanted.knownValue("pinVersion") as number | undefined) !== undefined
        ? checkPinOfNew(wanted)
        : [],
    declarations: [declare],
    questions: [checkGraph, checkSchemas],
  };
}

/**
 * Records that this program declares the assistant. Other resources may then run it, even though it does not exist yet.
 */
function declare(wanted: DesiredInputs, { once }: ServerSources): Promise<Finding[]> {
  const id = wanted.text("assistantId");
  if (id !== undefined) void once(assistantFact(id), () => Promise.resolve(true));
  return Promise.resolve([]);
}

/** Checks the pinned version of a new assistant. Only its first version can be pinned. */
function checkPinOfNew(wanted: DesiredInputs): Finding[] {
  const version = wanted.knownValue("pinVersion");
  return wanted.text("adopt") === "always" || version === 1
    ? []
    : [warning("pinVersion", "requires an assistant with several versions; a new assistant has only one")];
}

/** Checks that the server has the graph. */
async function checkGraph(
  wanted: DesiredInputs,
  { server, isSecret, once, signal }: ServerSources,
): Promise<Finding[]> {
  const graph = wanted.text("graph");
  // A preview does not send secrets, since a manifest may specify any server.
  if (graph === undefined || !wanted.changes("graph") || isSecret("graph")) return [];
  const isThere = await once(`graph ${graph}`, () => server.assistants.hasGraph(graph, signal));
  return isThere
    ? []
    : [
        warning(
          "graph",
          `is ${graph}, which the agent server does not have; the next revision of the deployment may add it`,
        ),
      ];
}
