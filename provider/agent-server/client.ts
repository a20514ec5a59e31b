import { z } from "zod";
import type { Transport } from "../control-plane/transport";
import {
  assistantRecord,
  count,
  joinedRun,
  runRecord,
  threadRecord,
  threadState,
  type JoinedRun,
  type RunRecord,
  type ThreadState,
} from "./wire";

/** What the provider asks of the agent server of one deployment. */
export class AgentServerClient {
  constructor(private readonly transport: Transport) {}

  /** `GET /ok`: fails unless the server answers 200. */
  async checkHealth(): Promise<void> {
    await this.send("GET", "/ok", undefined);
  }

  /** `POST /assistants/search`: whether the graph has an assistant. */
  async hasGraph(graph: string): Promise<boolean> {
    const body = { graph_id: graph, limit: 1 };
    const found = await this.send("POST", "/assistants/search", z.array(assistantRecord), body);
    return found.some(({ graph_id: id }) => id === graph);
  }

  /** `POST /threads/count`; with `busy`, only threads with a run under way. */
  countThreads(busy: boolean, signal?: AbortSignal): Promise<number> {
    return this.send("POST", "/threads/count", count, busy ? { status: "busy" } : {}, signal);
  }

  /** `POST /assistants/count`. */
  countAssistants(signal?: AbortSignal): Promise<number> {
    return this.send("POST", "/assistants/count", count, {}, signal);
  }

  /** `POST /runs/crons/count`. */
  countCrons(signal?: AbortSignal): Promise<number> {
    return this.send("POST", "/runs/crons/count", count, {}, signal);
  }

  /** `POST /threads`: a new thread's id. */
  async createThread(): Promise<string> {
    return (await this.send("POST", "/threads", threadRecord, {})).thread_id;
  }

  /** `POST /threads/{thread_id}/runs`: starts a run in the background. */
  startRun(thread: string, graph: string, input: unknown): Promise<RunRecord> {
    return this.send("POST", `${threadPath(thread)}/runs`, runRecord, { assistant_id: graph, input });
  }

  /** `GET /threads/{thread_id}/runs`: the newest runs of the thread. */
  listRuns(thread: string): Promise<RunRecord[]> {
    return this.send("GET", `${threadPath(thread)}/runs`, z.array(runRecord));
  }

  /** `GET /threads/{thread_id}/runs/{run_id}`. */
  getRun(thread: string, run: string): Promise<RunRecord> {
    return this.send("GET", `${threadPath(thread)}/runs/${encodeURIComponent(run)}`, runRecord);
  }

  /** `GET /threads/{thread_id}/runs/{run_id}/join`: answers when the run has ended. */
  joinRun(thread: string, run: string): Promise<JoinedRun> {
    return this.send("GET", `${threadPath(thread)}/runs/${encodeURIComponent(run)}/join`, joinedRun);
  }

  /** `GET /threads/{thread_id}/state`. */
  getState(thread: string): Promise<ThreadState> {
    return this.send("GET", `${threadPath(thread)}/state`, threadState);
  }

  /** `DELETE /threads/{thread_id}`, with its runs. */
  async deleteThread(thread: string): Promise<void> {
    await this.send("DELETE", threadPath(thread), undefined);
  }

  private send<Schema extends z.ZodType | undefined>(
    method: "GET" | "POST" | "DELETE",
    path: string,
    answer: Schema,
    body?: object,
    signal?: AbortSignal,
  ) {
    // Whoever asks an agent server waits for it, and has a deadline for that.
    return this.transport.send({ method, path, body, answer, signal, duringWait: true });
  }
}

function threadPath(thread: string): string {
  return `/threads/${encodeURIComponent(thread)}`;
}
