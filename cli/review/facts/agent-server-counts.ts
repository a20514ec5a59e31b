import { z } from "zod";
import { Transport } from "../../../provider/control-plane/transport";
import { AgentServerError } from "../../../provider/errors";
import type { AgentServerCounts } from "./facts";

/**
 * Counts what an agent server holds: `POST /threads/count`, `/assistants/count` and `/runs/crons/count`. What it
 * cannot count is left out. @throws AgentServerError when it counts nothing at all
 */
export async function countAgentServer(
  transport: Transport,
  signal: AbortSignal,
): Promise<AgentServerCounts> {
  const ask = async (path: string, body: object) => {
    try {
      const answer = z.int().min(0);
      return await transport.send({ method: "POST", path, body, answer, signal });
    } catch (error) {
      if (!AgentServerError.is(error)) throw error;
      return error;
    }
  };
  const [activeRuns, threads, assistants, crons] = await Promise.all([
    ask("/threads/count", { status: "busy" }),
    ask("/threads/count", {}),
    ask("/assistants/count", {}),
    ask("/runs/crons/count", {}),
  ]);
  const answers = { activeRuns, threads, assistants, crons };
  const counts = Object.entries(answers).filter(([, answer]) => typeof answer === "number");
  if (counts.length === 0) throw threads;
  return Object.fromEntries(counts) as AgentServerCounts;
}
