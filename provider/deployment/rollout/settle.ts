import { revisionPath } from "../../control-plane/paths";
import { revisionPhase } from "../../control-plane/dialects";
import type { RevisionRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import { spent } from "../../resource/duration";
import type { ControlPlaneOperation } from "../../resource/control-plane-operation";
import { growing, poll } from "../../resource/poll";
import { Phases, type Phase } from "./phases";

const schedule = growing({ firstMs: 1_000, longestMs: 10_000, growth: 1.3 });

/** How often a wait looks whether the deployment is still there, in milliseconds. */
const presenceMs = 30_000;

export interface Wait extends Pick<
  ControlPlaneOperation,
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
  /** The statuses that it went through, with the time that each of them was seen to last, in milliseconds. */
  phases?: Phase[];
  /** Why the last look failed, when it did. */
  lastError?: AgentServerError;
}

/**
 * Looks at exactly this revision until its status is final, its deployment is gone or the time is up. A look that fails
 * in passing does not end the wait; only refused credentials do.
 */
export async function settle(wait: Wait): Promise<Settlement> {
  const { clock, deploymentId, revisionId, timeoutMs, status } = wait;
  // An id that cannot be asked about would be waited for in vain.
  revisionPath(deploymentId, revisionId);
  const startedAt = clock.now();
  const last: Pick<Settlement, "revision" | "lastError"> = {};
  const passed = new Phases();
  let presentAt = startedAt;
  const settled = await poll<Settlement>(wait, schedule, async (looks) => {
    const seen = await look(wait);
    const isRead = !AgentServerError.is(seen);
    last.lastError = isRead ? undefined : seen;
    if (isRead) {
      last.revision = seen;
      passed.see(seen.status, clock.now());
    }
    const { revision, lastError } = last;
    const elapsedMs = clock.now() - startedAt;
    const phase = isRead ? revisionPhase(seen.status, wait.dialect) : "progress";
    if (revision && phase !== "progress") {
      return { outcome: phase, revision, elapsedMs, phases: passed.until(clock.now()) };
    }
    if (lastError?.isMissing || clock.now() - presentAt >= presenceMs) {
      if (await isGone(wait)) return { outcome: "gone", revision, elapsedMs };
      presentAt = clock.now();
    }
    status.show(
      lastError
        ? `cannot be read (${lastError.facts.status ?? lastError.code})`
        : (revision?.status ?? "not seen yet"),
      `${spent(elapsedMs, timeoutMs)}, look ${looks}`,
    );
    return undefined;
  });
  return settled ?? { outcome: "timeout", ...last, elapsedMs: clock.now() - startedAt };
}

async function look({
  client,
  deploymentId,
  revisionId,
  signal,
}: Wait): Promise<RevisionRecord | AgentServerError> {
  try {
    return await client.revisions.get(deploymentId, revisionId, signal, true);
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
