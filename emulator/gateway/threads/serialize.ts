/** A thread as returned by the runtime, or part of one. */
export type RuntimeThread = Record<string, unknown>;

/** Returns a thread with all fields that clients expect. The runtime omits some of them if the thread has no runs. */
export function serializeThread(thread: RuntimeThread): RuntimeThread {
  return { state_updated_at: thread.created_at, values: null, interrupts: {}, error: null, ...thread };
}
