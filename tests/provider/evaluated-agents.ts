import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { RolloutJob, RolloutReport, RolloutRunner, RunningAgent } from "../../emulator/index";

/** Result of a run: the final state, or an error. */
export type AgentRun = { values: unknown } | { error: string } | { status: string };

interface Thread {
  thread_id: string;
  metadata: Record<string, unknown>;
  runs: { run_id: string; created_at?: string; polls: number; result: AgentRun }[];
}

/**
 * Agent servers with threads and runs in memory. All revisions of a deployment share the threads. Each run is still in
 * progress when it is polled for the first time.
 */
export class EvaluatedAgents implements RolloutRunner {
  readonly threads = new Map<string, Thread>();
  /** Graph and input of each run that was started. */
  readonly started: { graph: string; input: unknown }[] = [];
  /** Number of threads that were deleted. */
  deleted = 0;
  /** Maximum number of concurrent runs. */
  mostRunning = 0;
  /**
   * Statuses to inject, each for the next request that matches. The request is still carried out, unless the status is
   * 429.
   */
  readonly faults: { request: RegExp; status: number }[] = [];
  /** Number of polls during which a run is in progress. */
  pollsPerRun = 1;
  /** Graphs that exist. By default, every graph exists. */
  graphs?: readonly string[];
  /** Clock for the creation times of runs. Without a clock, runs do not report a creation time. */
  clock?: { now: () => number };
  /** Called before each response; the response waits for the promise. */
  beforeResponse: () => Promise<unknown> | undefined = () => undefined;
  private created = 0;

  constructor(public run: (graph: string, input: never) => AgentRun) {}

  roll(_job: RolloutJob, report: RolloutReport): Promise<RunningAgent> {
    report.status("BUILDING");
    return this.restart();
  }

  async restart(): Promise<RunningAgent> {
    const server = createServer((request, response) => {
      void this.respond(request).then(({ status, body }) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    let end: (reason: string) => void = () => undefined;
    const exited = new Promise<string>((resolve) => (end = resolve));
    const stop = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      end("stopped");
    };
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, exited, stop };
  }

  private async respond(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { method = "", url = "" } = request;
    const sent = (await request.setEncoding("utf8").toArray()).join("");
    const fault = this.faults.findIndex((one) => one.request.test(`${method} ${url}`));
    const [injected] = fault < 0 ? [] : this.faults.splice(fault, 1);
    if (injected?.status === 429) return { status: 429, body: { detail: "too many" } };
    const answer = this.handle(
      method,
      url.split("?")[0]!,
      JSON.parse(sent || "{}") as Record<string, unknown>,
    );
    await this.beforeResponse();
    return injected ? { status: injected.status, body: { detail: "injected" } } : answer;
  }

  private handle(
    method: string,
    path: string,
    body: Record<string, unknown>,
  ): { status: number; body: unknown } {
    const ok = (value: unknown) => ({ status: 200, body: value });
    const shown = ({ thread_id, metadata }: Thread) => ({ thread_id, metadata, status: "idle" });
    if (path === "/ok") return ok({ ok: true });
    if (path === "/assistants/search") {
      const graph = body["graph_id"] as string;
      return ok(this.graphs?.includes(graph) === false ? [] : [{ assistant_id: "a", graph_id: graph }]);
    }
    if (path === "/threads/search") {
      const wanted = Object.entries(body["metadata"] as object);
      return ok(
        [...this.threads.values()]
          .filter(({ metadata }) => wanted.every(([key, value]) => metadata[key] === value))
          .slice(Number(body["offset"]))
          .map(shown),
      );
    }
    if (path === "/threads") {
      const id = (body["thread_id"] as string | undefined) ?? `t-${(this.created += 1)}`;
      if (this.threads.has(id)) return { status: 409, body: { detail: "exists" } };
      const thread = { thread_id: id, metadata: (body["metadata"] ?? {}) as Thread["metadata"], runs: [] };
      this.threads.set(id, thread);
      return ok(shown(thread));
    }
    const [, id = "", rest = ""] = /^\/threads\/([^/]+)(.*)$/.exec(path) ?? [];
    const thread = this.threads.get(id);
    if (!thread) return { status: 404, body: { detail: "not found" } };
    if (rest === "" && method === "DELETE") {
      this.threads.delete(id);
      this.deleted += 1;
      return { status: 204, body: {} };
    }
    if (rest === "" && method === "PATCH")
      thread.metadata = { ...thread.metadata, ...(body["metadata"] as object) };
    if (rest === "") return ok(shown(thread));
    const record = (run: Thread["runs"][number]) => ({
      run_id: run.run_id,
      created_at: run.created_at,
      status: this.statusOf(run),
    });
    if (rest === "/runs" && method === "POST") {
      const [graph, input] = [body["assistant_id"] as string, body["input"]];
      this.started.push({ graph, input });
      const run = {
        run_id: `r-${this.started.length}`,
        ...(this.clock && { created_at: new Date(this.clock.now()).toISOString() }),
        polls: 0,
        result: this.run(graph, input as never),
      };
      thread.runs.push(run);
      const running = [...this.threads.values()]
        .flatMap(({ runs }) => runs)
        .filter((one) => this.statusOf(one) === "running");
      this.mostRunning = Math.max(this.mostRunning, running.length);
      return ok(record(run));
    }
    if (rest === "/runs") return ok(thread.runs.map(record));
    const run = thread.runs.at(-1);
    if (!run) return { status: 404, body: { detail: "no run" } };
    if (rest === "/state") return ok({ values: "values" in run.result ? run.result.values : {} });
    if (rest.endsWith("/join"))
      return ok("error" in run.result ? { __error__: { error: "Error", message: run.result.error } } : {});
    run.polls += 1;
    return ok(record(run));
  }

  private statusOf({ polls, result }: Thread["runs"][number]): string {
    if (polls < this.pollsPerRun) return "running";
    if ("status" in result) return result.status;
    return "error" in result ? "error" : "success";
  }
}

/** Returns the final state of a chat with this last message. */
export function said(content: unknown): AgentRun {
  return {
    values: {
      messages: [
        { type: "human", content: "question" },
        { type: "ai", content },
      ],
    },
  };
}
