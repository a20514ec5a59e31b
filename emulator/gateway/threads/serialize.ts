/** A thread of the runtime, or a part of it. */
export type RuntimeThread = Record<string, unknown>;

/** Returns a thread with all fields that clients read. The runtime omits some of them for a thread without runs. */
export function serializeThread(thread: RuntimeThread): RuntimeThread {
  return { state_updated_at: thread.created_at, values: null, interrupts: {}, error: null, ...thread };
}
