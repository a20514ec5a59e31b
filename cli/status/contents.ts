import { countAgentServer } from "../../provider/agent-server/counts";
import { asError } from "../../provider/errors";
import { mapConcurrently } from "../../provider/map-concurrently";
import type { Session } from "../../provider/session/session";
import type { Contents, DeploymentOverview } from "./overview";

/** Maximum number of agent servers that are queried concurrently. */
const concurrency = 6;

/**
 * Maximum time for an agent server to respond, in milliseconds of real time, so that an idle server does not delay the
 * others.
 */
const timeoutMs = 20_000;

/** Adds the number of objects on the agent server of each deployment. */
export function addContents(
  overviews: readonly DeploymentOverview[],
  session: Session,
  signal: AbortSignal,
): Promise<DeploymentOverview[]> {
  return mapConcurrently(overviews, concurrency, async (overview) => ({
    ...overview,
    contents: await countContents(overview, session, signal),
  }));
}

async function countContents(
  { url }: DeploymentOverview,
  session: Session,
  signal: AbortSignal,
): Promise<Contents> {
  if (url === null) return { unknown: "it has no URL yet" };
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await countAgentServer(session.agentServer(url), AbortSignal.any([signal, timeout]));
  } catch (thrown) {
    signal.throwIfAborted();
    if (timeout.aborted) return { unknown: `no response within ${timeoutMs / 1_000} s` };
    return { unknown: asError(thrown).message };
  }
}
