import type { RequestContext } from "../request/request-context";
import { Refusal } from "../request/refusal";
import { isUnderWay } from "./schemas";
import { requireThread } from "../threads/lookup";

type Action = "interrupt" | "rollback";
const pageSize = 1000;

/** Cancels those of these runs of a thread that wait or are active; returns their number. */
export async function cancelRuns(
  context: Pick<RequestContext, "client">,
  threadId: string,
  runIds: string[],
  action: Action,
): Promise<number> {
  await requireThread(context, threadId);
  let cancelled = 0;
  for (const runId of runIds) {
    const place = `/threads/${threadId}/runs/${runId}`;
    const run = await context.client.json<{ status: string }>("GET", place).catch(goneMeanwhile);
    if (!run || !isUnderWay(run)) continue;
    const answer = (await context.client.raw("POST", `${place}/cancel?action=${action}`)).resume();
    if (answer.statusCode !== 404) cancelled += 1;
  }
  return cancelled;
}

/**
 * Cancels all runs that wait or are active, on all threads that the caller sees; with `only`, just that run. Returns
 * their number.
 */
export async function cancelWithStatus(
  { client: asCaller }: Pick<RequestContext, "client">,
  status: "pending" | "running" | "all",
  action: Action,
  only?: string,
): Promise<number> {
  const client = asCaller.until(new AbortController().signal);
  const threads = await client.json<{ thread_id: string }[]>("POST", "/threads/search", {
    status: "busy",
    limit: pageSize,
  });
  let cancelled = 0;
  for (const { thread_id: threadId } of threads) {
    for (const wanted of status === "all" ? ["pending", "running"] : [status]) {
      const path = `/threads/${threadId}/runs?status=${wanted}&limit=${pageSize}`;
      const runs = (await client.json<{ run_id: string }[]>("GET", path).catch(goneMeanwhile)) ?? [];
      const ids = runs.map(({ run_id }) => run_id).filter((id) => only === undefined || id === only);
      cancelled += (await cancelRuns({ client }, threadId, ids, action).catch(goneMeanwhile)) ?? 0;
    }
  }
  return cancelled;
}

function goneMeanwhile(error: unknown): undefined {
  if (error instanceof Refusal && error.status === 404) return undefined;
  throw error;
}
