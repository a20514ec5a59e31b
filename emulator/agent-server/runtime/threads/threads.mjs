import { HTTPException } from "hono/http-exception";
import { checkpointer, FileSystemThreads, serializeError, StreamManager } from "../modules.mjs";
import { stateSnapshotToThreadState } from "./thread-state.mjs";

/** Threads with the documented behavior. Overrides the methods of the runtime that behave differently. */
export class Threads extends FileSystemThreads {
  /** @param settled - Called when the active run of a thread has ended and the thread reflects this. */
  constructor(conn, settled) {
    super(conn);
    this.settled = settled;
    this.state.post = this.#announcing(refusingBadUpdates(this.state, "post"));
    this.state.bulk = refusingBadUpdates(this.state, "bulk");
  }

  async *search(options, auth) {
    const { limit = 10, offset = 0, sort_by: by, values } = options;
    const all = { ...options, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
    if (by === "state_updated_at") all.sort_by = "updated_at";
    const found = [];
    for await (const { thread } of super.search(all, auth)) if (holds(thread, values)) found.push(thread);
    if (by === "state_updated_at") {
      const time = (thread) => (thread.state_updated_at ?? thread.created_at).getTime();
      found.sort((a, b) => (options.sort_order === "asc" ? 1 : -1) * (time(a) - time(b)));
    }
    for (const thread of found.slice(offset, offset + limit)) yield { thread, total: found.length };
  }

  async count(options, auth) {
    if (options.values == null) return super.count(options, auth);
    let total = 0;
    for await (const found of this.search({ ...options, limit: 1, offset: 0 }, auth)) total = found.total;
    return total;
  }

  async copy(threadId, auth) {
    const copy = await super.copy(threadId, auth);
    return this.conn.with((state) => {
      const { config, values, interrupts, status, state_updated_at } = state.threads[threadId];
      const kept = { config, values, interrupts, state_updated_at };
      return Object.assign(copy, kept, { status: status === "interrupted" ? status : "idle" });
    });
  }

  async delete(threadId, auth) {
    const active = await this.#activeRuns(threadId);
    const deleted = await super.delete(threadId, auth);
    const runIds = active.map(({ run_id }) => run_id);
    for (const runId of runIds) StreamManager.getControl(runId)?.abort("rollback");
    await this.settled(threadId, { gone: true, runIds });
    return deleted;
  }

  /** Records the end of the active run of a thread. The run's results are in `checkpoint` and `exception`. */
  async setStatus(threadId, { checkpoint, exception }) {
    const undone = this.undoing(threadId);
    const known = await this.conn.with((state) => state.threads[threadId] !== undefined);
    if (known && this.isTemporary(threadId)) return this.delete(threadId);
    if (known) {
      const left = checkpoint && !undone ? checkpoint : await this.#latest(threadId);
      const outcome = { checkpoint: left, exception: undone ? undefined : exception };
      await super.setStatus(threadId, outcome);
      await this.conn.with((state) => {
        const thread = state.threads[threadId];
        if (!thread) return;
        thread.state_updated_at = thread.updated_at;
        thread.error = outcome.exception ? serializeError(outcome.exception) : null;
        const raised = Object.entries(thread.interrupts ?? {}).filter(
          ([, interrupts]) => interrupts.length > 0,
        );
        thread.interrupts = Object.fromEntries(raised);
      });
    }
    await this.settled(threadId, { checkpoint, exception });
  }

  /** Updates the status of a thread to reflect whether any runs are active. */
  async countActive(threadId) {
    const active = await this.#activeRuns(threadId);
    await this.conn.with((state) => {
      const thread = state.threads[threadId];
      if (thread && active.length > 0) thread.status = "busy";
      else if (thread?.status === "busy") thread.status = "idle";
    });
  }

  /** Deletes all checkpoints of a thread except the latest of each namespace. */
  async keepLatest(threadId) {
    const spaces = checkpointer.storage[threadId] ?? {};
    for (const [space, checkpoints] of Object.entries(spaces)) {
      const [, ...older] = Object.keys(checkpoints).sort().reverse();
      for (const id of older) {
        delete checkpoints[id];
        delete checkpointer.writes[JSON.stringify([threadId, space, id])];
      }
    }
    // This read makes the runtime detect that there are changes to write.
    await checkpointer.getTuple({ configurable: { thread_id: threadId, checkpoint_ns: "" } });
  }

  /**
   * Returns the latest state of a thread. This state is reported for a run that was interrupted before the run itself
   * reported a state.
   */
  async #latest(threadId) {
    try {
      const state = await this.state.get({ configurable: { thread_id: threadId } }, { subgraphs: false });
      return { ...state, next: [...state.next], tasks: [...state.tasks] };
    } catch {
      return undefined;
    }
  }

  #activeRuns(threadId) {
    return this.conn.with((state) =>
      Object.values(state.runs).filter(
        ({ thread_id, status }) => thread_id === threadId && ["pending", "running"].includes(status),
      ),
    );
  }

  #announcing(post) {
    return async (config, values, asNode, auth) => {
      const { checkpoint } = await post(config, values, asNode, auth);
      const threadId = config.configurable.thread_id;
      await this.conn.with(({ threads }) => {
        const thread = threads[threadId];
        thread.state_updated_at = thread.updated_at = new Date();
      });
      const state = await this.state.get({ configurable: checkpoint }, { subgraphs: false }, auth);
      this.stateUpdated?.(threadId, { state: stateSnapshotToThreadState(state), thread_id: threadId });
      // Clients read the location of the new state from one of these fields.
      return { checkpoint, configurable: checkpoint, checkpoint_id: checkpoint.checkpoint_id };
    };
  }
}

/**
 * True if a thread that the runtime found really matches these values. In the runtime, a thread without a state matches
 * all values.
 */
function holds({ values }, wanted) {
  return wanted == null || Object.keys(wanted).length === 0 || values != null;
}

/**
 * Makes the method report a client error (400) if the graph rejects an update, for example because of an unknown node.
 */
function refusingBadUpdates(owner, name) {
  const update = owner[name];
  return async (...args) => {
    try {
      return await update.apply(owner, args);
    } catch (error) {
      if (error instanceof HTTPException) throw error;
      throw new HTTPException(400, { message: error.message, cause: error });
    }
  };
}
