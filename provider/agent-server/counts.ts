import { AgentServerError } from "../errors";
import type { AgentServerClient } from "./client";

/** What the agent server of a deployment holds. */
export interface AgentServerCounts {
  /** Threads with a run under way. */
  activeRuns?: number;
  threads?: number;
  assistants?: number;
  /** Assistants that somebody made: every graph has one by itself. */
  ownAssistants?: number;
  crons?: number;
  /** Items of the store, up to `mostItems`. */
  items?: number;
}

/** Items of a store that are counted; where there are as many, there may be more. */
const mostItems = 1_000;

/** Counts what an agent server holds; what it cannot count is left out. @throws AgentServerError when it counts nothing */
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
    orError(agentServer.store.count(mostItems, signal)),
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

/** What would be lost with the agent server: `5 threads, 1 cron, 2 assistants, 7 store items`. */
export function heldInWords({ threads, crons, assistants, items }: AgentServerCounts): string {
  const counted = (count: number | undefined, noun: string) =>
    count === undefined ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`];
  return [
    ...counted(threads, "thread"),
    ...counted(crons, "cron"),
    ...counted(assistants, "assistant"),
    ...(items === mostItems ? [`${mostItems} or more store items`] : counted(items, "store item")),
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
