import { defaultRetryPolicy } from "../http/retry";
import { AgentServerError } from "../errors";

/** Whether the server may have acted although the reply says nothing of use: then look before sending again. */
export function mayHaveBeenTaken(error: unknown): error is AgentServerError {
  if (!AgentServerError.is(error) || error.facts.notProcessed) return false;
  return ["connection_failed", "server_failed", "unexpected_answer"].includes(error.code);
}

/** How often a write is sent in all when replies are lost and a look shows that nothing was done. */
export const writeTries = 3;

/** Shortest pause before the look after a lost reply, in milliseconds: the server may still be at work on it. */
export const lookPauseMs = 2_000;

/** Pauses before the further looks where the server was only too slow to answer, in milliseconds; 90 s with the first. */
const patientLooksMs = [3_000, 5_000, 10_000, 15_000, 20_000, 35_000];

/**
 * Pauses before each look after a lost reply. A server that was too slow to answer may carry the request out later, and
 * sent again it would be carried out twice: that one is looked at for longer.
 */
export function lookPauses(error: AgentServerError): number[] {
  return [lookPause(error), ...(error.facts.timedOut ? patientLooksMs : [])];
}

/** Pause before that look: longer where the server asks for it. */
export function lookPause(error: AgentServerError): number {
  const asked = Math.min(error.facts.retryAfterMs ?? 0, defaultRetryPolicy.retryAfterCapMs);
  return Math.max(lookPauseMs, asked);
}
