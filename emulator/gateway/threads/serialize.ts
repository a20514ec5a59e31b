/** A thread of the runtime, or some of its fields. */
export type RuntimeThread = Record<string, unknown>;

/** Returns a thread with all fields that clients read: the runtime omits those of a thread that has not run. */
export function serializeThread(thread: RuntimeThread): RuntimeThread {
  return { state_updated_at: thread.created_at, values: null, interrupts: {}, error: null, ...thread };
}
