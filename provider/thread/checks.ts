import type { AgentServerChecks, ServerSources } from "../resource/checks";
import { failure, type Finding } from "../resource/inputs/finding";
import type { DesiredInputs } from "../resource/inputs/wanted";
import { distinctIds } from "../resource/ownership/derived-id";
import { ownerIn } from "../resource/ownership/owner-tag";
import { serverPaths } from "../resource/server";

export function threadChecks(): AgentServerChecks {
  return {
    compareResources: distinctIds("threadId"),
    rules: () => [],
    questions: [],
    questionsToOldServer: [askForRuns],
  };
}

const replacing = ["threadId", ...serverPaths];

/** Requires permission to replace a thread that has runs, because the replacement deletes the thread. */
async function askForRuns(
  wanted: DesiredInputs,
  { server, signal, ...who }: ServerSources,
): Promise<Finding[]> {
  const id = wanted.stateText("threadId");
  const path = wanted.isToBeReplaced ? "threadId" : replacing.find((path) => wanted.changes(path));
  if (id === undefined || path === undefined || wanted.knownValue("forceDelete") === true) return [];
  const stored = await server.threads.find(id, signal);
  if (!stored || ownerIn(stored.metadata, who).owner !== "this") return [];
  if (!(await server.threads.hasRuns(id, signal))) return [];
  return [
    failure(
      path.split(".")[0]!,
      `replaces thread ${id}, which has runs, so deleting it would delete conversations. Set \`forceDelete: true\` to allow it`,
    ),
  ];
}
