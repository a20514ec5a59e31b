// Streams of runs. Replaces the runtime's streams, in which several readers of one run take events from each
// other, and poll for the end of the run.
import { PROTOCOL_STREAM_RUN_KEY } from "../modules.mjs";
import { RunEvents } from "./run-events.mjs";
import { RunLog } from "./run-log.mjs";

/** Time in milliseconds for which the events of a completed run can still be read. */
const keptMs = { plain: 60_000, resumable: 15 * 60_000 };
/** Interval in milliseconds at which readers check whether a run has ended, because a run may end without an event. */
const pollIntervalMs = 1000;

export class RunStreams {
  #logs = new Map();

  /**
   * @param runs - Operations that find and cancel runs.
   * @param threadStreams - Receives every event as well.
   */
  constructor(runs, threadStreams) {
    this.runs = runs;
    this.threadStreams = threadStreams;
  }

  log(runId) {
    let log = this.#logs.get(runId);
    if (!log) this.#logs.set(runId, (log = new RunLog()));
    return log;
  }

  /** Opens the log of a run that is starting. */
  open({ run_id, thread_id, kwargs }) {
    const log = this.log(run_id);
    log.threadId = thread_id;
    // Runs of the newer protocol are not converted here, because the sessions of that protocol convert the events
    // themselves.
    if (kwargs[PROTOCOL_STREAM_RUN_KEY] !== true) log.shown = new RunEvents(kwargs.stream_mode ?? []);
  }

  async publish({ runId, resumable, event, data: raw, normalized }) {
    const log = this.log(runId);
    const data = log.shown ? log.shown.dataOf(event, raw) : raw;
    if (data === undefined) return;
    log.resumable = resumable;
    log.push({ event, data, ...(normalized == null ? {} : { normalized }) });
    this.threadStreams.publish(log.threadId, { event, data });
  }

  /**
   * Reads the events of a run. The first reader receives all events. A later reader receives those after `lastEventId`,
   * or only new ones.
   */
  async *join(runId, threadId, options, auth) {
    const { signal, lastEventId, ignore404, cancelOnDisconnect } = options ?? {};
    if (threadId != null) await this.runs.threads.get(threadId, auth);
    const log = this.log(runId);
    let next = startOf(log, lastEventId);
    log.joined = true;
    while (!signal?.aborted) {
      while (next < log.events.length && !signal?.aborted) yield { id: String(next), ...log.events[next++] };
      if (log.ended) break;
      await log.changed(signal, pollIntervalMs);
      if (next < log.events.length || log.ended || signal?.aborted) continue;
      const run = await this.runs.get(runId, threadId, auth);
      if (run == null && !ignore404) yield { event: "error", data: "Run not found" };
      if (run == null || this.runs.isOver(run)) break;
    }
    if (signal?.aborted && cancelOnDisconnect)
      await this.runs.cancel(threadId, [runId], { action: "interrupt" }, auth).catch(() => undefined);
    this.#forgetStranger(runId, log);
  }

  /** Waits until a run has ended and its thread reflects this. Returns the log of the run. */
  async over(runId, threadId, auth) {
    const log = this.log(runId);
    while (!log.ended) {
      const run = await this.runs.get(runId, threadId, auth);
      if (run == null || this.runs.isOver(run)) break;
      await log.changed(undefined, pollIntervalMs);
    }
    this.#forgetStranger(runId, log);
    return log;
  }

  end(runId) {
    const log = this.log(runId);
    if (log.ended) return;
    log.end();
    setTimeout(() => this.#logs.delete(runId), keptMs[log.resumable ? "resumable" : "plain"]).unref();
  }

  /** Removes the empty log of a run that ended long ago or never existed. */
  #forgetStranger(runId, log) {
    if (!log.ended && log.threadId === undefined && log.events.length === 0) this.#logs.delete(runId);
  }
}

function startOf(log, lastEventId) {
  if (lastEventId == null) return log.joined ? log.events.length : 0;
  const last = Number(lastEventId);
  return Number.isInteger(last) && last >= 0 ? last + 1 : 0;
}
