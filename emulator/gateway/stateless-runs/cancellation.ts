import type { Call } from "../call/call";
import { Refusal, refuse } from "../call/refusal";
import { requireThread } from "../threads/lookup";

type Action = "interrupt" | "rollback";
const pageSize = 1000;

/** Cancels these runs of a thread. */
export async function cancelRuns(
  call: Pick<Call, "runtime">,
  threadId: string,
  runIds: string[],
  action: Action,
): Promise<void> {
  await requireThread(call, threadId);
  for (const runId of runIds) {
    const path = `/threads/${threadId}/runs/${runId}/cancel?action=${action}`;
    const answer = await call.runtime.raw("POST", path);
    answer.resume();
    if (answer.statusCode === 404) throw refuse.noRun(runId);
  }
}

/** Cancels all runs that wait or are active, on whatever thread the caller sees; with `only` that one alone. */
export async function cancelWithStatus(
  { runtime: asCaller }: Pick<Call, "runtime">,
  status: "pending" | "running" | "all",
  action: Action,
  only?: string,
): Promise<void> {
  const runtime = asCaller.until(new AbortController().signal);
  const threads = await runtime.json<{ thread_id: string }[]>("POST", "/threads/search", {
    status: "busy",
    limit: pageSize,
  });
  for (const { thread_id: threadId } of threads) {
    for (const wanted of status === "all" ? ["pending", "running"] : [status]) {
      const path = `/threads/${threadId}/runs?status=${wanted}&limit=${pageSize}`;
      const runs = await runtime.json<{ run_id: string }[]>("GET", path).catch(endedMeanwhile);
      const ids = runs.map(({ run_id }) => run_id).filter((id) => only === undefined || id === only);
      await cancelRuns({ runtime }, threadId, ids, action).catch(endedMeanwhile);
    }
  }
}

function endedMeanwhile(error: unknown): never[] {
  if (error instanceof Refusal && error.status === 404) return [];
  throw error;
}
