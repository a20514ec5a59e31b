import { Assistants } from "./assistants.mjs";
import { FileSystemOps, store } from "./modules.mjs";
import { writeBeforeAnswering } from "./persistence.mjs";
import { Runs } from "./runs/runs.mjs";
import { Threads } from "./threads/threads.mjs";
import { ThreadStreams } from "./threads/thread-streams.mjs";
import { callWebhook } from "./webhooks.mjs";

/** Error shown on a thread for a run that was interrupted when its process exited. */
const cut = { error: "AgentServerStopped", message: "The agent server stopped before the run finished." };

/**
 * Operations for the routes and workers of the runtime: the runtime's own operations, changed to match the
 * documentation.
 */
export class Operations extends FileSystemOps {
  /** Origin of this server. Webhooks may specify only a path on it. */
  origin = "";

  constructor(conn) {
    super(conn);
    this.threadStreams = new ThreadStreams();
    this.assistants = new Assistants(conn);
    const threads = new Threads(conn, (threadId, outcome) => this.#settled(threadId, outcome));
    this.runs = new Runs(conn, threads, this.threadStreams, (run, outcome) => this.#ended(run, outcome));
    threads.undoing = (threadId) => this.runs.undoing(threadId);
    threads.isTemporary = (threadId) => this.runs.isTemporary(threadId);
    threads.stateUpdated = (threadId, data) =>
      this.threadStreams.publish(threadId, { event: "state_update", data });
    this.threads = threads;
    writeBeforeAnswering(this.assistants, ["put", "patch", "delete", "setLatest"]);
    writeBeforeAnswering(threads, ["put", "patch", "copy", "keepLatest"]);
    // A worker's request to delete the thread of its stateless run is never rejected, because a rejection would stop
    // the worker.
    writeBeforeAnswering(threads, ["delete"], (threadId) => this.runs.isTemporary(threadId));
    writeBeforeAnswering(threads.state, ["post", "bulk"]);
    writeBeforeAnswering(this.runs, ["put", "cancel", "delete"]);
    // Only changes to individual items wait. Graphs write in batches, which do not wait.
    writeBeforeAnswering(store, ["put", "delete"]);
  }

  /** Returns the numbers of pending and active runs. */
  queue() {
    return this.conn.with(({ runs }) => {
      const count = (status) => Object.values(runs).filter((run) => run.status === status).length;
      return { pending: count("pending"), running: count("running") };
    });
  }

  /** Fails all runs that were active when the process that wrote the data exited. Returns the number of these runs. */
  endCutRuns() {
    return this.conn.with(({ runs, threads }) => {
      const active = Object.values(runs).filter(({ status }) => status === "running");
      for (const run of active) {
        run.status = "error";
        run.updated_at = new Date();
        const thread = threads[run.thread_id];
        if (thread?.status === "busy") Object.assign(thread, { status: "error", error: cut });
      }
      return active.length;
    });
  }

  async #settled(threadId, outcome) {
    if (outcome.gone) this.threadStreams.drop(threadId);
    await this.runs.settled(threadId, outcome);
  }

  #ended(run, { startedAt, values, error }) {
    this.threadStreams.publish(run.thread_id, {
      event: "metadata",
      data: { status: "run_done", run_id: run.run_id, run_status: run.status },
    });
    const { webhook } = run.kwargs;
    if (!webhook) return;
    const now = new Date();
    const times = { run_started_at: startedAt, run_ended_at: now, webhook_sent_at: now };
    void callWebhook(webhook, { ...run, ...times, values, error }, this.origin);
  }
}
