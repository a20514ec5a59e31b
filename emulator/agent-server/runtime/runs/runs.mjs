import { HTTPException } from "hono/http-exception";
import { FileSystemRuns, serializeError, StreamManager } from "../modules.mjs";
import { written } from "../persistence.mjs";
import { cronDelivery } from "./run-configuration.mjs";
import { RunStreams } from "./run-streams.mjs";

/** Runs with the documented behavior. Overrides the methods of the runtime that behave differently. */
export class Runs extends FileSystemRuns {
  /** Runs that are deleted, together with their effects on the thread, as soon as they have stopped. */
  #undone = new Set();
  /** Runs that have ended but whose thread does not reflect this yet, keyed by thread. */
  #ending = new Map();
  /**
   * Promises that resolve when a starting run has been written to disk, keyed by run. Until then, the run is not
   * reported as running.
   */
  #starting = new Map();
  #startedAt = new Map();
  /** Threads that are deleted with their active run, keyed by run. */
  #temporary = new Map();
  /**
   * True if runs may start. False while data is being loaded, because the runtime's workers do not wait until all data
   * has been loaded, and while the process is stopping.
   */
  #open = true;

  /** @param ended - Called for every run that ends, or that is interrupted while it is active. */
  constructor(conn, threads, threadStreams, ended) {
    super(conn);
    this.threads = threads;
    this.stream = new RunStreams(this, threadStreams);
    this.ended = ended;
  }

  /** Allows runs to start. */
  open() {
    this.#open = true;
  }

  /** Prevents runs from starting. */
  close() {
    this.#open = false;
  }

  /** True if a thread is deleted together with its active run. */
  isTemporary(threadId) {
    return [...this.#temporary.values()].includes(threadId);
  }

  isOver({ run_id, status }) {
    return (
      status !== "pending" &&
      status !== "running" &&
      ![...this.#ending.values()].some((run) => run.run_id === run_id)
    );
  }

  async get(runId, threadId, auth) {
    await this.#starting.get(runId);
    return super.get(runId, threadId, auth);
  }

  async put(runId, assistantId, kwargs, options, auth) {
    const { threadId } = options;
    const delivery = cronDelivery(kwargs.config);
    if (delivery && (await this.#isDelivered(delivery)))
      throw new HTTPException(208, { message: "This cron already has a run for this due time." });
    const found = await super.put(runId, assistantId, kwargs, options, auth);
    if (delivery && found[0]?.run_id === runId)
      await this.conn.with((state) => {
        (state.cron_deliveries ??= {})[delivery.cronId] = delivery.dueAt;
      });
    if (found.length === 0) throw new HTTPException(404, { message: `Thread ${threadId} not found.` });
    // A worker may already start the run while it is still being written.
    if (found[0].run_id === runId) return [{ ...found[0], status: "pending" }, ...found.slice(1)];
    throw new HTTPException(409, {
      message:
        `Thread ${threadId} already has an active run, which continues. ` +
        'Wait for it, or choose a multitask_strategy other than "reject".',
    });
  }

  /**
   * True if the run of a cron for this due time has already been created. Checks the existing runs, because the
   * delivery is recorded shortly after its run, and the recorded deliveries, because a run may have been deleted.
   */
  #isDelivered({ cronId, dueAt }) {
    const due = new Date(dueAt).toISOString();
    return this.conn.with(
      ({ cron_deliveries: delivered = {}, runs }) =>
        delivered[cronId] === dueAt ||
        Object.values(runs).some(
          ({ metadata }) => metadata?.cron_id === cronId && metadata.cron_due_at === due,
        ),
    );
  }

  async *next() {
    if (!this.#open) return;
    for await (const item of super.next()) {
      const { run } = item;
      this.#startedAt.set(run.run_id, new Date());
      if (run.kwargs.temporary) this.#temporary.set(run.run_id, run.thread_id);
      this.stream.open(run);
      // A run that stops its process must not be stored as pending. Otherwise, it would be started again and stop the
      // next process as well.
      const kept = this.threads.countActive(run.thread_id).then(written);
      this.#starting.set(run.run_id, kept);
      await kept;
      this.#starting.delete(run.run_id);
      if (!this.#open) {
        run.status = "pending";
        return;
      }
      // Webhooks are called here, not by the runtime. To the runtime, "temporary" also means "without checkpoints", for
      // all runs of the graph that start at the same time. Here it only means that the thread is deleted with the run.
      const kwargs = { ...run.kwargs, webhook: undefined, temporary: false };
      yield { ...item, run: { ...run, kwargs } };
      this.#temporary.delete(run.run_id);
      if (!this.#open) return;
    }
  }

  async setStatus(runId, status) {
    const run = await this.conn.with((state) => state.runs[runId]);
    // The run may have been deleted together with its thread while it was active.
    if (!run) return;
    this.#ending.set(run.thread_id, { ...run, status });
    if (this.#undone.has(runId)) await super.delete(runId, run.thread_id);
    else await super.setStatus(runId, status);
  }

  /** True if the effects of the run that has just ended must be undone on this thread. */
  undoing(threadId) {
    return this.#undone.has(this.#ending.get(threadId)?.run_id);
  }

  /** Records that the thread now reflects the end of its run. */
  async settled(threadId, { checkpoint, exception, runIds = [] }) {
    for (const runId of runIds) this.stream.end(runId);
    const run = this.#ending.get(threadId);
    if (!run) return;
    this.#ending.delete(threadId);
    await written();
    const log = this.stream.log(run.run_id);
    // A checkpoint that was in progress when the run was stopped may have been stored after the others were deleted.
    if (this.#undone.delete(run.run_id)) await this.#forgetCheckpoints(run);
    else
      this.ended(run, {
        startedAt: this.#startedAt.get(run.run_id),
        values: checkpoint?.values ?? log.values,
        error: exception ? serializeError(exception).message : log.error?.message,
      });
    this.#startedAt.delete(run.run_id);
    this.stream.end(run.run_id);
  }

  async cancel(threadId, runIds, options, auth) {
    const runs = await this.conn.with((state) =>
      runIds
        .map((id) => state.runs[id])
        .filter((run) => run && (threadId == null || run.thread_id === threadId)),
    );
    if (options.action === "rollback")
      for (const { run_id, status } of runs) if (status === "running") this.#undone.add(run_id);
    try {
      await super.cancel(threadId, runIds, options, auth);
    } finally {
      for (const { run_id, thread_id } of runs) {
        await this.threads.countActive(thread_id);
        const run = await this.get(run_id, thread_id);
        if (!run || (run.status === "interrupted" && !StreamManager.isLocked(run_id)))
          this.stream.end(run_id);
      }
    }
  }

  /** Deletes a run. Stops it first if it is active. */
  async delete(runId, threadId, auth) {
    const run = await this.get(runId, threadId, auth);
    if (run?.status !== "running") {
      const deleted = await super.delete(runId, threadId, auth);
      this.stream.end(runId);
      await this.threads.countActive(run.thread_id);
      return deleted;
    }
    await this.cancel(run.thread_id, [runId], { action: "rollback" }, auth);
    await this.stream.over(runId, threadId, auth);
    return runId;
  }

  async search(threadId, options, auth) {
    const { limit, offset } = options;
    const all = { ...options, offset: 0, limit: Number.MAX_SAFE_INTEGER };
    await Promise.all(this.#starting.values());
    const runs = await super.search(threadId, all, auth);
    runs.sort((a, b) => b.created_at - a.created_at || (a.run_id < b.run_id ? 1 : -1));
    return runs.slice(offset ?? 0, (offset ?? 0) + (limit ?? 10));
  }

  async wait(runId, threadId, auth) {
    const { result, error } = await this.stream.over(runId, threadId, auth);
    return error === undefined ? (result ?? null) : { __error__: error };
  }

  async join(runId, threadId, auth) {
    await this.threads.get(threadId, auth);
    const found = await this.wait(runId, threadId, auth);
    if (found !== null) return found;
    const { values = null, status, interrupts = {} } = await this.threads.get(threadId, auth);
    const raised = status === "interrupted" ? Object.values(interrupts).flat() : [];
    return raised.length > 0 ? { ...values, __interrupt__: raised } : values;
  }

  async #forgetCheckpoints({ run_id, thread_id }) {
    const state = await this.conn.with((all) => all);
    if (state.threads[thread_id] === undefined) return;
    state.runs[run_id] ??= { run_id, thread_id };
    await super.delete(run_id, thread_id);
  }
}
