import { type SupervisedCommand, startSupervised } from "../../process/supervised-command";
import type { InternalApiAddress } from "../rollout";
import type { GraphSource } from "./graph-configuration";
import type { AgentCommand } from "../runtimes/runtime";

interface AgentLaunch extends AgentCommand {
  /** Working directory of the agent server. */
  folder: string;
  graphs: GraphSource[];
  /** Owner that identifies the agent server's processes after this process has exited. See `treeOwner`. */
  owner: string;
  /** Grace period in milliseconds for the agent server to exit after a request to stop. */
  stopGraceMs: number;
  line: (line: string, from: "stdout" | "stderr") => void;
}

/** Report that the agent server sends about itself. See `agent-server/serve.mjs` and `agent-server/python/serve.py`. */
type AgentReport =
  | { type: "stage"; stage: string; graph?: string }
  | { type: "listening"; origin: string; internalApi: InternalApiAddress }
  | { type: "failed"; stage: string; graph?: string; message: string; at?: string; stack?: string }
  | { type: "exit"; code: number; stage: string }
  /** Report from the supervisor that the operating system cannot start the agent server. */
  | { type: "refused"; code?: string };

export interface AgentProcess {
  /** PID of the supervisor. Stopping it also stops the agent server and everything that it started. */
  pid: number;
  /** Resolves when the agent server is listening. Rejects with the reason if it fails first. */
  listening: Promise<{ origin: string; internalApi: InternalApiAddress }>;
  /** Resolves when the agent server and everything that it started have exited. */
  exited: Promise<string>;
  /**
   * Returns the current activity of the process, for use in messages, such as `importing the graph "agent"
   * (src/agent.ts)`.
   */
  activity(): string;
  /** Asks the agent server to exit, and kills it if it does not. */
  stop(): Promise<void>;
  /** Kills the agent server immediately. */
  kill(): Promise<void>;
}

/** Grace period in milliseconds for an agent server to exit on its own after the control plane has been killed. */
const orphanGraceMs = 1000;

/** Starts the agent server of a build as one supervised process. */
export function startAgentProcess(launch: AgentLaunch): AgentProcess {
  const { graphs } = launch;
  let doing = "starting";
  let asked = false;
  /** True if the agent server has reported that it is exiting, so it was not terminated by a signal. */
  let exits = false;
  let stopping: Promise<void> | undefined;
  let reportListening!: (at: { origin: string; internalApi: InternalApiAddress }) => void;
  let reportFailure!: (failure: Error) => void;
  const listening = new Promise<{ origin: string; internalApi: InternalApiAddress }>((resolve, reject) => {
    reportListening = resolve;
    reportFailure = reject;
  });
  // A failure must not stop this process if it no longer waits for the agent server.
  listening.catch(() => undefined);
  const agent = start(launch, (report) => {
    if (report.type === "listening") {
      doing = "serving";
      reportListening(report);
    } else if (report.type === "stage") doing = activityOf(report.stage, graphs, report.graph);
    else if (report.type === "exit") exits = true;
    else if (report.type === "refused") reportFailure(refusedStart(report, launch.environment));
    else {
      if (report.stack) for (const line of report.stack.split("\n")) launch.line(line, "stderr");
      reportFailure(new Error(failureOf(report, graphs)));
    }
  });
  const exited = agent.ended.then(
    ({ code, signal }) => {
      // Without an exit code, the supervisor has not reported whether and how the agent server exited.
      const bySignal = signal !== null && (!exits || code === null);
      const how = asked
        ? "was stopped"
        : bySignal
          ? `was terminated by ${signal}`
          : `exited with code ${code}`;
      reportFailure(new Error(`The agent server ${how} while ${doing}.${hintFor(code)}`));
      return `The agent server ${how}${asked || doing === "serving" ? "" : ` while ${doing}`}.`;
    },
    (error: unknown) => {
      const { message } = error as Error;
      reportFailure(new Error(`The agent server cannot be started: ${message}.`));
      return `The agent server could not be started: ${message}.`;
    },
  );
  const stop = async () => {
    asked = true;
    agent.ask();
    const timer = setTimeout(() => agent.kill(), launch.stopGraceMs);
    await exited;
    clearTimeout(timer);
  };
  return {
    pid: agent.pid ?? -1,
    listening,
    exited,
    activity: () => doing,
    stop: () => (stopping ??= stop()),
    async kill() {
      asked = true;
      agent.kill();
      await exited;
    },
  };
}

function start(launch: AgentLaunch, take: (report: AgentReport) => void): SupervisedCommand {
  try {
    return startSupervised({
      command: launch.command,
      args: launch.args,
      folder: launch.folder,
      environment: launch.environment,
      owner: launch.owner,
      graceMs: orphanGraceMs,
      line: launch.line,
      report: (line) => take(JSON.parse(line) as AgentReport),
    });
  } catch (error) {
    throw refusedStart(error, launch.environment);
  }
}

function graphName(graphs: GraphSource[], id: string | undefined): string {
  return `the graph "${id}" (${graphs.find((graph) => graph.id === id)?.shown})`;
}

function activityOf(stage: string, graphs: GraphSource[], graph?: string): string {
  if (stage === "import") return `importing ${graphName(graphs, graph)}`;
  return stage === "stop" ? "stopping" : "starting to listen";
}

function failureOf(report: AgentReport & { type: "failed" }, graphs: GraphSource[]): string {
  const at = report.at ? ` (at ${report.at})` : "";
  if (report.stage === "import")
    return `Importing ${graphName(graphs, report.graph)} failed: ${report.message}${at}.`;
  if (report.stage === "export") return `The graph "${report.graph}" cannot be served: ${report.message}.`;
  return `The agent server cannot start: ${report.message}${at}.`;
}

function hintFor(code: number | null): string {
  return code === 13 ? " A top-level await never settled." : "";
}

/**
 * Returns the error for an agent server that Node.js cannot start. The original error quotes the rejected value, which
 * may be a secret, so it is neither repeated nor kept as the cause.
 */
function refusedStart(error: unknown, environment: NodeJS.ProcessEnv): Error {
  const unfit = Object.keys(environment).filter((name) => `${name}${environment[name]}`.includes("\0"));
  const why =
    unfit.length > 0
      ? `a null byte was found in the environment variable ${unfit.map((name) => JSON.stringify(name)).join(", ")}`
      : `the system reports ${(error as { code?: string }).code ?? "an unknown error"}`;
  return new Error(`The agent server cannot be started: ${why}.`);
}
