import { z } from "zod";
import type { Transport } from "../../http/transport";
import { joinedRun, runRecord, type JoinedRun, type RunRecord } from "../wire";
import { ask } from "./ask";
import { threadPath } from "./paths";

/** The endpoints of a thread's runs as functions. */
export class RunsClient {
  constructor(private readonly transport: Transport) {}

  /** `POST /threads/{thread_id}/runs`: starts a run in the background. */
  start(thread: string, graph: string, input: unknown): Promise<RunRecord> {
    const body = { assistant_id: graph, input };
    return ask(this.transport, "POST", `${threadPath(thread)}/runs`, runRecord, body);
  }

  /** `GET /threads/{thread_id}/runs`: the newest runs of the thread. */
  list(thread: string): Promise<RunRecord[]> {
    return ask(this.transport, "GET", `${threadPath(thread)}/runs`, z.array(runRecord));
  }

  /** `GET /threads/{thread_id}/runs/{run_id}`. */
  get(thread: string, run: string): Promise<RunRecord> {
    return ask(this.transport, "GET", runPath(thread, run), runRecord);
  }

  /** `GET /threads/{thread_id}/runs/{run_id}/join`: answers when the run has ended. */
  join(thread: string, run: string): Promise<JoinedRun> {
    return ask(this.transport, "GET", `${runPath(thread, run)}/join`, joinedRun);
  }
}

function runPath(thread: string, run: string): string {
  return `${threadPath(thread)}/runs/${encodeURIComponent(run)}`;
}
