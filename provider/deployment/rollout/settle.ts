import type { ControlPlaneClient } from "../../control-plane/client";
import { revisionPath } from "../../control-plane/paths";
import { revisionPhase, type Dialect } from "../../control-plane/dialects";
import type { RevisionRecord } from "../../control-plane/wire";
import type { Clock } from "../../clock";
import { AgentServerError } from "../../errors";
import { formatDuration } from "../duration";
import type { StatusLine } from "./status-line";

/** First, longest and growth of the pause between two looks, in milliseconds. */
const pauses = { firstMs: 1_000, longestMs: 10_000, growth: 1.3 };

export interface Wait {
  client: ControlPlaneClient;
  clock: Clock;
  dialect: Dialect;
  deploymentId: string;
  revisionId: string;
  /** Length of the wait in milliseconds, from now. */
  timeoutMs: number;
  status: StatusLine;
  signal?: AbortSignal;
}

/** How a wait for one revision ended, and how long it took. */
export interface Settlement {
  outcome: "deployed" | "failed" | "superseded" | "timeout";
  /** The revision as last seen; nothing when it could not be read at all. */
  revision?: RevisionRecord;
  elapsedMs: number;
  /** Why the last look failed, when it did. */
  lastError?: AgentServerError;
}

/**
 * Looks at exactly this revision until its status is final or the time is up. A look that fails in passing does
 * not end the wait; only a refused key does.
 */
export async function settle(wait: Wait): Promise<Settlement> {
  const { clock, deploymentId, revisionId, timeoutMs, status, signal } = wait;
  // An id that cannot be asked about would be waited for in vain.
  revisionPath(deploymentId, revisionId);
  const startedAt = clock.now();
  const deadline = startedAt + timeoutMs;
  let revision: RevisionRecord | undefined;
  let lastError: AgentServerError | undefined;
  for (
    let looks = 1, pause = pauses.firstMs;
    ;
    looks += 1, pause = Math.min(pause * pauses.growth, pauses.longestMs)
  ) {
    try {
      revision = await wait.client.getRevision(deploymentId, revisionId, signal, true);
      lastError = undefined;
    } catch (error) {
      if (!AgentServerError.is(error) || error.code === "refused_credentials") throw error;
      lastError = error;
    }
    const elapsedMs = clock.now() - startedAt;
    if (revision && !lastError) {
      const phase = revisionPhase(revision.status, wait.dialect);
      if (phase !== "progress") {
        status.finish(`revision ${revision.id} ${revision.status} after ${formatDuration(elapsedMs)}`);
        return { outcome: phase, revision, elapsedMs };
      }
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
