import type { AgentServerClient } from "../../../provider/agent-server/client";
import { AgentServerError } from "../../../provider/errors";
import type { AgentServerCounts } from "./facts";

/** Counts what an agent server holds; what it cannot count is left out. @throws AgentServerError when it counts nothing */
export async function countAgentServer(
  agentServer: AgentServerClient,
  signal: AbortSignal,
): Promise<AgentServerCounts> {
  const [activeRuns, threads, assistants, crons] = await Promise.all([
    orError(agentServer.threads.count(true, signal)),
    orError(agentServer.threads.count(false, signal)),
    orError(agentServer.assistants.count(signal)),
    orError(agentServer.crons.count(signal)),
  ]);
  const answers = { activeRuns, threads, assistants, crons };
  const counts = Object.entries(answers).flatMap(([kind, answer]) =>
    typeof answer === "number" ? [[kind, answer] as const] : [],
  );
  if (typeof threads !== "number" && counts.length === 0) throw threads;
  return Object.fromEntries(counts);
}

async function orError(answer: Promise<number>): Promise<number | AgentServerError> {
  try {
    return await answer;
  } catch (error) {
    if (!AgentServerError.is(error)) throw error;
    return error;
  }
}
