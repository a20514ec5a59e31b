import { revisionPath } from "../../control-plane/paths";
import { revisionPhase } from "../../control-plane/dialects";
import type { RevisionRecord } from "../../control-plane/wire";
import { AgentServerError } from "../../errors";
import { formatDuration } from "../duration";
import type { Operation } from "../lifecycle/operation";

/** First, longest and growth of the pause between two looks, in milliseconds. */
const pauses = { firstMs: 1_000, longestMs: 10_000, growth: 1.3 };

/** How often a wait looks whether the deployment is still there, in milliseconds. */
const presenceMs = 30_000;

export interface Wait extends Pick<
  Operation,
  "client" | "clock" | "deadline" | "dialect" | "signal" | "status" | "timeoutMs"
> {
  deploymentId: string;
  revisionId: string;
  /** Whether the deployment has been deleted: its revision will not settle then. */
  isGone: () => Promise<boolean>;
}

/** How a wait for one revision ended, and how long it took. */
export interface Settlement {
  outcome: "deployed" | "failed" | "superseded" | "timeout" | "gone";
  /** The revision as last seen; nothing when it could not be read at all. */
  revision?: RevisionRecord;
  elapsedMs: number;
  /** Why the last look failed, when it did. */
  lastError?: AgentServerError;
}

/**
 * Looks at exactly this revision until its status is final, its deployment is gone or the time is up. A look that fails
 * in passing does not end the wait; only refused credentials do.
 */
export async function settle(wait: Wait): Promise<Settlement> {
  const { clock, deadline, deploymentId, revisionId, timeoutMs, status, signal } = wait;
  // An id that cannot be asked about would be waited for in vain.
  revisionPath(deploymentId, revisionId);
  const startedAt = clock.now();
  let revision: RevisionRecord | undefined;
  let presentAt = startedAt;
  for (
    let looks = 1, pause = pauses.firstMs;
    ;
    looks += 1, pause = Math.min(pause * pauses.growth, pauses.longestMs)
  ) {
    const seen = await look(wait);
    const lastError = AgentServerError.is(seen) ? seen : undefined;
    if (!AgentServerError.is(seen)) revision = seen;
    const elapsedMs = clock.now() - startedAt;
    const phase = revision && !lastError ? revisionPhase(revision.status, wait.dialect) : "progress";
    if (revision && phase !== "progress") {
      status.finish(`revision ${revision.id} ${revision.status} after ${formatDuration(elapsedMs)}`);
      return { outcome: phase, revision, elapsedMs };
    }
    if (lastError?.isMissing || clock.now() - presentAt >= presenceMs) {
      if (await isGone(wait)) return { outcome: "gone", revision, elapsedMs };
      presentAt = clock.now();
    }
    status.show(
      lastError
        ? `revision cannot be read (${lastError.facts.status ?? lastError.code})`
        : `revision ${revision?.status}`,
      `${formatDuration(elapsedMs)} of ${formatDuration(timeoutMs)}, look ${looks}`,
    );
    if (clock.now() >= deadline) return { outcome: "timeout", revision, elapsedMs, lastError };
    await clock.sleep(Math.min(pause, deadline - clock.now()), signal);
  }
}

async function look({
  client,
  deploymentId,
  revisionId,
  signal,
}: Wait): Promise<RevisionRecord | AgentServerError> {
  try {
    return await client.getRevision(deploymentId, revisionId, signal, true);
  } catch (error) {
    return passing(error);
  }
}

async function isGone(wait: Wait): Promise<boolean> {
  try {
    return await wait.isGone();
  } catch (error) {
    passing(error);
    return false;
  }
}

/** A failure that the next look may not meet. @throws the error where it will */
function passing(error: unknown): AgentServerError {
  if (!AgentServerError.is(error) || error.isDenied) throw error;
  return error;
}
