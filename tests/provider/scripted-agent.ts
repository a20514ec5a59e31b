import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { RolloutJob, RolloutReport, RolloutRunner, RunningAgent } from "../../emulator/index";
import { RolloutFailure } from "../../emulator/index";

/** Behavior of an agent server in these tests. It is read for every request. */
export interface AgentScript {
  /** Statuses of the next responses to `GET /ok`. After these, the status is 200. */
  ok: number[];
  /** Value of the `detail` field in unsuccessful responses. */
  detail?: string;
  graphs: string[];
  /**
   * Statuses of the next responses to requests that start a run. The run is started even if the status is an error, as
   * if the response were lost. With "not taken", the run is not started.
   */
  starts: (number | "not taken")[];
  /** Statuses of the run, one per poll. The last one is repeated. */
  run: string[];
  error?: { error: string; message: string };
  values: unknown;
  /** Path suffix of requests that do not get a response. */
  silent?: string;
  /** Number of resources on the agent server, keyed by the path of the request that counts or lists them. */
  held?: Record<string, number>;
  /** Commits whose build fails. */
  broken: string[];
}

/** A real HTTP server that follows a script. */
export class ScriptedAgent {
  private started = false;

  /** @param note called with the method and path of each request, and the body if there is one */
  constructor(
    private readonly script: AgentScript,
    private readonly note: (request: string) => void = () => undefined,
  ) {}

  /** Starts listening. */
  async start(): Promise<RunningAgent> {
    const { script } = this;
    const server = createServer((request, response) => {
      void this.answer(request).then(({ status, body }) => {
        if (script.silent && request.url?.endsWith(script.silent)) return;
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
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

  private async answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { method, url = "" } = request;
    const sent = (await request.setEncoding("utf8").toArray()).join("");
    const { script } = this;
    this.note(`${method} ${url.replace(/t-[\w-]+/, "T")}${sent && ` ${sent}`}`);
    if (url === "/ok") {
      const status = script.ok.shift() ?? 200;
      return { status, body: status === 200 ? { ok: true } : { detail: script.detail ?? "unwell" } };
    }
    if (url.endsWith("/count")) return { status: 200, body: script.held?.[url] ?? 0 };
    if (url === "/store/items/search") {
      const items = Array<object>(script.held?.[url] ?? 0).fill({});
      return { status: 200, body: { items } };
    }
    if (url === "/assistants/search") {
      const { graph_id: graph } = JSON.parse(sent) as { graph_id: string };
      const found = script.graphs.includes(graph);
      return { status: 200, body: found ? [{ assistant_id: "a", graph_id: graph }] : [] };
    }
    if (method === "DELETE") {
      this.started = false;
      return { status: 204, body: {} };
    }
    if (url.endsWith("/runs") && method === "GET")
      return { status: 200, body: this.started ? [{ run_id: "r", status: "pending" }] : [] };
    if (url.endsWith("/runs")) {
      const shown = script.starts.shift() ?? 200;
      this.started ||= shown !== "not taken";
      if (shown !== 200) return { status: shown === "not taken" ? 500 : shown, body: { detail: "lost" } };
    }
    if (url.endsWith("/state"))
      return { status: 200, body: { values: script.values, tasks: [{ error: script.error ?? null }] } };
    if (url.endsWith("/join"))
      return { status: 200, body: script.error ? { __error__: script.error } : script.values };
    if (url.includes("/runs")) {
      const status = (script.run.length > 1 ? script.run.shift() : script.run[0]) ?? "success";
      return { status: 200, body: { run_id: "r", status } };
    }
    return { status: 200, body: { thread_id: "t-1" } };
  }
}

/** Runner for agent servers that follow the same script. Each rollout finishes immediately. */
export class ScriptedAgents implements RolloutRunner {
  /** Method and path of each request, and the body if there is one. */
  readonly requests: string[] = [];
  private readonly agent: ScriptedAgent;

  constructor(readonly script: AgentScript) {
    this.agent = new ScriptedAgent(script, (request) => this.requests.push(request));
  }

  async roll(job: RolloutJob, report: RolloutReport): Promise<RunningAgent> {
    const ref = job.sourceRevisionConfig.repo_ref ?? "";
    report.resolvedCommit(commitOf(ref));
    report.status("BUILDING");
    if (this.script.broken.includes(ref)) throw new RolloutFailure("BUILD_FAILED", "it is broken");
    return this.restart();
  }

  restart(): Promise<RunningAgent> {
    return this.agent.start();
  }
}

/** Returns the commit that a branch resolves to in these tests. */
function commitOf(ref: string): string {
  return /^[0-9a-f]{40}$/.test(ref) ? ref : createHash("sha1").update(ref).digest("hex");
}

/** Returns the script of an agent server that passes all checks, with these changes. */
export function agentScript(change: Partial<AgentScript> = {}): AgentScript {
  return {
    ok: [],
    graphs: ["agent"],
    starts: [],
    run: ["pending", "running", "success"],
    values: { messages: [{ type: "ai", content: "pong" }] },
    broken: [],
    ...change,
  };
}

/** Returns a runner for agent servers that pass all checks, with these changes. */
export function scriptedAgents(change: Partial<AgentScript> = {}): ScriptedAgents {
  return new ScriptedAgents(agentScript(change));
}
