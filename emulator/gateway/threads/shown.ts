/** A thread as the runtime has it, or some fields of it. */
export type RuntimeThread = Record<string, unknown>;

/** A thread with all fields that clients read: the runtime leaves out those of a thread that has not run. */
export function shownThread(thread: RuntimeThread): RuntimeThread {
  return { state_updated_at: thread.created_at, values: null, interrupts: {}, error: null, ...thread };
}
