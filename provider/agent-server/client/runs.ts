import { z } from "zod";
import type { Transport } from "../../http/transport";
import {
  joinedRun,
  runRecord,
  storedRun,
  type JoinedRun,
  type RunBody,
  type RunRecord,
  type StoredRun,
} from "../wire";
import { sendRequest } from "./ask";
import { threadPath } from "./paths";

/** Client for the run endpoints. */
export class RunsClient {
  constructor(private readonly transport: Transport) {}

  /** `POST /threads/{thread_id}/runs`: starts a run in the background. */
  start(thread: string, graph: string, input: unknown): Promise<RunRecord> {
    const body = { assistant_id: graph, input };
    return sendRequest(this.transport, "POST", `${threadPath(thread)}/runs`, runRecord, body);
  }

  /** `POST /threads/{thread_id}/runs` with a complete body. */
  startWith(thread: string, body: RunBody): Promise<StoredRun> {
    return this.transport.send({
      method: "POST",
      path: `${threadPath(thread)}/runs`,
      body,
      answer: storedRun,
      undone: `no run was started on thread ${thread}`,
    });
  }

  /** `GET /threads/{thread_id}/runs`: the newest 100 runs of the thread, with their metadata. */
  listStored(thread: string, signal?: AbortSignal): Promise<StoredRun[]> {
    const path = `${threadPath(thread)}/runs`;
    return this.transport.send({
      method: "GET",
      path,
      query: { limit: "100" },
      answer: z.array(storedRun),
      signal,
    });
  }

  /** `GET /threads/{thread_id}/runs`: the newest runs of the thread. */
  list(thread: string): Promise<RunRecord[]> {
    return sendRequest(this.transport, "GET", `${threadPath(thread)}/runs`, z.array(runRecord));
  }

  /** `GET /threads/{thread_id}/runs/{run_id}`. */
  get(thread: string, run: string): Promise<RunRecord> {
    return sendRequest(this.transport, "GET", runPath(thread, run), runRecord);
  }

  /** `GET /threads/{thread_id}/runs/{run_id}/join`; responds when the run ends. */
  join(thread: string, run: string): Promise<JoinedRun> {
    return sendRequest(this.transport, "GET", `${runPath(thread, run)}/join`, joinedRun);
  }
}

function runPath(thread: string, run: string): string {
  return `${threadPath(thread)}/runs/${encodeURIComponent(run)}`;
}
