import { AgentServerError } from "../errors";
import type { AgentServerClient } from "./client";

/** Number of resources of each type on the agent server of a deployment. */
export interface AgentServerCounts {
  /** Number of threads with a run in progress. */
  activeRuns?: number;
  threads?: number;
  assistants?: number;
  /** Number of assistants, except for the default assistant that the server creates for each graph. */
  ownAssistants?: number;
  crons?: number;
  /** Number of items in the store; never more than `maxItems`, because counting stops there. */
  items?: number;
}

/** Maximum number of store items to count. If the result equals this number, there may be more. */
const maxItems = 1_000;

/**
 * Counts the resources on an agent server. Omits types of resources that cannot be counted.
 * @throws AgentServerError if no type can be counted
 */
export async function countAgentServer(
  agentServer: AgentServerClient,
  signal: AbortSignal,
): Promise<AgentServerCounts> {
  const [activeRuns, threads, assistants, ofGraphs, crons, items] = await Promise.all([
    orError(agentServer.threads.count(true, signal)),
    orError(agentServer.threads.count(false, signal)),
    orError(agentServer.assistants.count(signal)),
    orError(agentServer.assistants.count(signal, { created_by: "system" })),
    orError(agentServer.crons.count(signal)),
    orError(agentServer.store.count(maxItems, signal)),
  ]);
  const isCounted = typeof assistants === "number" && typeof ofGraphs === "number";
  const ownAssistants = isCounted ? assistants - ofGraphs : undefined;
  const answers = { activeRuns, threads, assistants, ownAssistants, crons, items };
  const counts = Object.entries(answers).flatMap(([kind, answer]) =>
    typeof answer === "number" ? [[kind, answer] as const] : [],
  );
  if (typeof threads !== "number" && counts.length === 0) throw threads;
  return Object.fromEntries(counts);
}

/**
 * Returns a list of the data that is lost with the agent server, such as `5 threads, 1 cron, 2 assistants, 7 store
 * items`.
 */
export function countsText({ threads, crons, assistants, items }: AgentServerCounts): string {
  const counted = (count: number | undefined, noun: string) =>
    count === undefined ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`];
  return [
    ...counted(threads, "thread"),
    ...counted(crons, "cron"),
    ...counted(assistants, "assistant"),
    ...(items === maxItems ? [`${maxItems} or more store items`] : counted(items, "store item")),
  ].join(", ");
}

async function orError(answer: Promise<number>): Promise<number | AgentServerError> {
  try {
    return await answer;
  } catch (error) {
    if (!AgentServerError.is(error)) throw error;
    return error;
  }
}
