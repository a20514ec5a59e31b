import { countAgentServer } from "../../provider/agent-server/counts";
import { asError } from "../../provider/errors";
import type { Session } from "../../provider/session/session";
import type { Contents, DeploymentOverview } from "./overview";

/** Agent servers that are asked at the same time. */
const atOnce = 6;

/** Longest time for one agent server to answer, in milliseconds of real time: one that sleeps must not hold up the others. */
const patienceMs = 20_000;

/** The deployments with what is in each of them, as its agent server counts it. */
export async function withContents(
  overviews: readonly DeploymentOverview[],
  session: Session,
  signal: AbortSignal,
): Promise<DeploymentOverview[]> {
  const all = [...overviews];
  const waiting = [...all.keys()];
  const ask = async () => {
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift())
      all[place] = { ...all[place]!, contents: await contentsOf(all[place]!, session, signal) };
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  return all;
}

async function contentsOf(
  { url }: DeploymentOverview,
  session: Session,
  signal: AbortSignal,
): Promise<Contents> {
  if (url === null) return { unknown: "it has no address yet" };
  const bound = AbortSignal.timeout(patienceMs);
  try {
    return await countAgentServer(session.agentServer(url), AbortSignal.any([signal, bound]));
  } catch (thrown) {
    signal.throwIfAborted();
    if (bound.aborted) return { unknown: `there was no answer within ${patienceMs / 1_000} s` };
    return { unknown: asError(thrown).message };
  }
}
