import type { RequestContext } from "../request/request-context";
import { Refusal, refuse } from "../request/refusal";

/** Returns the thread, or throws the documented error. */
export async function requireThread(
  { client }: Pick<RequestContext, "client">,
  threadId: string,
): Promise<Record<string, unknown>> {
  try {
    return await client.json("GET", `/threads/${threadId}`);
  } catch (error) {
    throw error instanceof Refusal && error.status === 404 ? refuse.noThread(threadId) : error;
  }
}

/** Deletes a thread and everything that belongs to it. */
export async function removeThread(context: RequestContext, threadId: string): Promise<void> {
  const { client, internalApi, timers } = context;
  if (internalApi.documented) await stopRuns(client, threadId);
  (await client.send("DELETE", `/threads/${threadId}`)).resume();
  timers().crons.forgetThread(threadId);
  timers().threadTtls.forget(threadId);
}

/**
 * Stops active runs to release their workers, because the Python runtime would continue the runs of a deleted thread.
 */
async function stopRuns(client: RequestContext["client"], threadId: string): Promise<void> {
  for (const status of ["pending", "running"]) {
    const path = `/threads/${threadId}/runs`;
    const runs = await client.json<{ run_id: string }[]>("GET", `${path}?status=${status}&limit=1000`);
    for (const { run_id: id } of runs) (await client.raw("POST", `${path}/${id}/cancel?wait=true`)).resume();
  }
}
