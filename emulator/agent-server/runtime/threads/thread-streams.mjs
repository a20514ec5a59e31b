import { RunLog } from "../runs/run-log.mjs";

/** Maximum number of events to keep per thread, and maximum number of threads to keep without readers. */
const keptEvents = 1000;
const keptThreads = 100;

/** Events on threads, one run after another, for readers that follow a thread. */
export class ThreadStreams {
  #logs = new Map();

  publish(threadId, event) {
    if (threadId === undefined) return;
    const log = this.#log(threadId);
    log.push(event);
    // Numbers are indexes into the list, so dropped events keep their positions.
    const dropped = log.events.length - keptEvents;
    if (dropped > 0) log.events[dropped - 1] = undefined;
  }

  #log(threadId) {
    const found = this.#logs.get(threadId);
    if (found) return found;
    const log = new RunLog();
    log.watchers = 0;
    this.#logs.set(threadId, log);
    for (const [id, { watchers }] of this.#logs) {
      if (this.#logs.size <= keptThreads) break;
      if (watchers === 0 && id !== threadId) this.#logs.delete(id);
    }
    return log;
  }

  drop(threadId) {
    this.#logs.get(threadId)?.end();
    this.#logs.delete(threadId);
  }

  /**
   * Follows a thread until the signal aborts or the thread is deleted. `last` is the number of the last event that the
   * reader has received, or `-` to start with the oldest event. If it is absent, only new events are sent.
   */
  async *follow(threadId, { last, modes, signal }) {
    const log = this.#log(threadId);
    log.watchers += 1;
    try {
      yield* this.#read(log, { last, modes, signal });
    } finally {
      log.watchers -= 1;
    }
  }

  async *#read(log, { last, modes, signal }) {
    let next = last === undefined ? log.events.length : last === "-" ? 0 : Number(last) + 1 || 0;
    while (!signal.aborted) {
      for (; next < log.events.length; next++) {
        const event = log.events[next];
        if (event && modes.some((mode) => belongs[mode]?.(event))) yield { id: String(next), ...event };
      }
      if (log.ended) return;
      await log.changed(signal, 60_000);
    }
  }
}

const belongs = {
  run_modes: ({ event }) => event !== "state_update",
  lifecycle: ({ event }) => event === "metadata",
  state_update: ({ event }) => event === "state_update",
};
