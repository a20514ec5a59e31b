import type { Transport } from "../../http/transport";
import { count, threadRecord, threadState, type ThreadState } from "../wire";
import { ask } from "./ask";
import { threadPath } from "./paths";

/** The endpoints of threads as functions. */
export class ThreadsClient {
  constructor(private readonly transport: Transport) {}

  /** `POST /threads/count`; with `busy`, only threads with a run under way. */
  count(busy: boolean, signal?: AbortSignal): Promise<number> {
    return ask(this.transport, "POST", "/threads/count", count, busy ? { status: "busy" } : {}, signal);
  }

  /** `POST /threads`: a new thread's id. */
  async create(): Promise<string> {
    return (await ask(this.transport, "POST", "/threads", threadRecord, {})).thread_id;
  }

  /** `GET /threads/{thread_id}/state`. */
  getState(thread: string): Promise<ThreadState> {
    return ask(this.transport, "GET", `${threadPath(thread)}/state`, threadState);
  }

  /** `DELETE /threads/{thread_id}`, with its runs; also where the client's signal has been aborted. */
  async delete(thread: string): Promise<void> {
    await ask(this.transport, "DELETE", threadPath(thread), undefined, undefined, null);
  }
}
