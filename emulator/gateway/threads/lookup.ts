import type { Call } from "../call/call";
import { Refusal, refuse } from "../call/refusal";

/** The thread, or the documented refusal. */
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

/** Deletes a thread and what belongs to it. */
export async function removeThread({ runtime, book }: Call, threadId: string): Promise<void> {
  (await runtime.send("DELETE", `/threads/${threadId}`)).resume();
  book().crons.forgetThread(threadId);
  book().threadTtls.forget(threadId);
}
