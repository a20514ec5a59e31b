import type { ServerSources } from "../resource/checks";
import { failure, type Finding } from "../resource/inputs/finding";
import type { DesiredInputs } from "../resource/inputs/wanted";
import { serverPaths } from "../resource/server";

/** Returns the key under which all checks share the result of looking up an assistant. */
export const assistantFact = (id: string) => `assistant ${id.toLowerCase()}`;

/**
 * Checks that the assistant of a resource exists. The resource specifies the assistant ID or the name of a graph. An
 * assistant that this program declares may not exist yet.
 */
export async function checkAssistant(
  wanted: DesiredInputs,
  { server, isSecret, once, signal }: ServerSources,
): Promise<Finding[]> {
  const assistant = wanted.text("assistant");
  const isNew = ["assistant", ...serverPaths].some((path) => wanted.changes(path));
  // A preview does not send secrets, since a manifest may specify any server.
  if (assistant === undefined || !isNew || isSecret("assistant")) return [];
  const exists = await once(assistantFact(assistant), () => server.assistants.canRun(assistant, signal));
  return exists
    ? []
    : [
        failure(
          "assistant",
          `is ${assistant}, but the agent server has no such assistant or graph; if this program creates the assistant, pass the \`Assistant\` itself`,
        ),
      ];
}
