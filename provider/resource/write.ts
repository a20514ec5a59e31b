import { defaultRetryPolicy } from "../http/retry";
import { AgentServerError } from "../errors";
import { fixedDelays, poll, type PollTime } from "./poll";

/** How often a write is sent in all when replies are lost and a look shows that nothing was done. */
const writeTries = 3;

/** Shortest pause before the look after a lost reply, in milliseconds: the server may still be at work on it. */
const lookPauseMs = 2_000;

/** Pauses between as many looks as a write has tries, for what is there but may not be seen at once. */
export const visibilityRetry = fixedDelays(Array<number>(writeTries - 1).fill(lookPauseMs));

const oneLook = fixedDelays([]);

/** Pauses before the further looks where the server was only too slow to answer, in milliseconds; 90 s with the first. */
const patientLooks = fixedDelays([3_000, 5_000, 10_000, 15_000, 20_000, 35_000]);

/** How many replies have been lost. */
export interface LostReplies {
  count: number;
}

/** A write whose reply may be lost. */
export interface Write<Taken> {
  send: () => Promise<Taken>;
  /** What the write has made; nothing while there is nothing of it. */
  look: () => Promise<Taken | undefined>;
  /**
   * Whether sending it again does no harm. Where it would be done twice, it is looked for longer after an answer that
   * was too slow: the server may yet carry it out.
   */
  isRepeatable?: boolean;
  /** Those of the same change so far, where it takes several writes. */
  lostReplies?: LostReplies;
  onLost?: (error: AgentServerError) => void;
  /** Called after each look that has found nothing. */
  onNothing?: () => void;
}

/** Sends a write. After a lost reply it is sent again only when looks have found nothing of it, and in time. */
export async function sendOrDetect<Taken>(
  time: PollTime,
  { send, look, isRepeatable = false, lostReplies = { count: 0 }, onLost, onNothing }: Write<Taken>,
): Promise<Taken> {
  const { clock, deadline } = time;
  for (;;)
    try {
      return await send();
    } catch (error) {
      if (!mayHaveBeenTaken(error)) throw error;
      lostReplies.count += 1;
      onLost?.(error);
      const isSlow = error.facts.timedOut === true && !isRepeatable;
      const looks = { ...(isSlow ? patientLooks : oneLook), beforeFirst: lookPause(error) };
      const taken = await poll(time, looks, async () => {
        const found = await look();
        if (found === undefined) onNothing?.();
        return found;
      });
      if (taken !== undefined) return taken;
      if (lostReplies.count >= writeTries || clock.now() >= (deadline?.at ?? Number.POSITIVE_INFINITY))
        throw error;
    }
}

/** Whether the server may have acted although the reply says nothing of use: then look before sending again. */
function mayHaveBeenTaken(error: unknown): error is AgentServerError {
  if (!AgentServerError.is(error) || error.facts.notProcessed) return false;
  return ["connection_failed", "server_failed", "unexpected_answer"].includes(error.code);
}

/** Pause before the first look: longer where the server asks for it. */
function lookPause(error: AgentServerError): number {
  const asked = Math.min(error.facts.retryAfterMs ?? 0, defaultRetryPolicy.retryAfterCapMs);
  return Math.max(lookPauseMs, asked);
}
