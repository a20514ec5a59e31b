import type { Call } from "../request/request-context";
import { Refusal, refuse } from "../request/refusal";

/** Returns the thread, or throws the documented refusal. */
export async function requireThread(
  { runtime }: Pick<Call, "runtime">,
  threadId: string,
): Promise<Record<string, unknown>> {
  try {
    return await runtime.json("GET", `/threads/${threadId}`);
  } catch (error) {
    throw error instanceof Refusal && error.status === 404 ? refuse.noThread(threadId) : error;
  }
}

/** Deletes a thread and everything that belongs to it. */
export async function removeThread(call: Call, threadId: string): Promise<void> {
  const { runtime, backstage, book } = call;
  if (backstage.documented) await stopRuns(runtime, threadId);
  (await runtime.send("DELETE", `/threads/${threadId}`)).resume();
  book().crons.forgetThread(threadId);
  book().threadTtls.forget(threadId);
}

/** Stops active runs to free their workers: the Python runtime would continue runs of a deleted thread. */
async function stopRuns(runtime: Call["runtime"], threadId: string): Promise<void> {
  for (const status of ["pending", "running"]) {
    const path = `/threads/${threadId}/runs`;
    const runs = await runtime.json<{ run_id: string }[]>("GET", `${path}?status=${status}&limit=1000`);
    for (const { run_id: id } of runs) (await runtime.raw("POST", `${path}/${id}/cancel?wait=true`)).resume();
  }
}
