import { closedPort } from "../../tools/closed-port";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ControlPlane, startControlPlane } from "../../../emulator/index";
import { deploy } from "../../emulator/gateway/deployment";
import { Repository, temporaryFolder } from "../../emulator/rollout/repository";
import { graphIds, type Language, projects } from "./graphs";

/** An agent server in the comparison. */
export interface AgentServer {
  url: string;
  headers: Record<string, string>;
}

/** The public agent server, and agents on a local control plane that run the same graphs. */
export interface Servers {
  reference: AgentServer;
  local: Record<Language, AgentServer>;
  stop: () => Promise<void>;
}

/** Starts all servers. The public server runs in the Python environment of the local Python agent. */
export async function startServers(): Promise<Servers> {
  const state = temporaryFolder("comparison");
  const plane = await startControlPlane({ rollout: "real", state });
  let reference: ChildProcess | undefined;
  const stop = async () => {
    if (reference?.exitCode === null && reference.signalCode === null) {
      reference.kill();
      await once(reference, "exit");
    }
    await plane.close();
  };
  try {
    const [Python, JavaScript] = await Promise.all([agent(plane, "Python"), agent(plane, "JavaScript")]);
    const folder = temporaryFolder("public-server");
    writeFileSync(join(folder, "graphs.py"), projects.Python["graphs.py"]);
    const port = await closedPort();
    reference = spawn(pythonOf(state, Python), ["-c", publicServer(port)], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, LANGSMITH_TRACING: "false" },
    });
    const url = `http://127.0.0.1:${port}`;
    await serves(url, reference);
    return { reference: { url, headers: {} }, local: { Python, JavaScript }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function agent(plane: ControlPlane, language: Language): Promise<AgentServer> {
  const url = await deploy(plane, new Repository(projects[language]), language.toLowerCase());
  return { url, headers: { "x-api-key": plane.apiKey } };
}

/** Returns the Python interpreter of the environment where the public runtime is installed for this agent. */
function pythonOf(state: string, { url }: AgentServer): string {
  const revisions = join(state, "deployments", url.split("/").at(-1)!, "revisions");
  return join(revisions, readdirSync(revisions)[0]!, "python", "bin", "python");
}

/** Returns the script that starts the server of `langgraph dev` without a browser and without writing files. */
function publicServer(port: number): string {
  const graphs = Object.fromEntries(graphIds.map((id) => [id, `./graphs.py:${id}`]));
  return (
    `from langgraph_api.cli import run_server\n` +
    `run_server(port=${port}, graphs=${JSON.stringify(graphs)}, n_jobs_per_worker=10, open_browser=False, ` +
    `reload=False, disable_persistence=True, allow_blocking=True)`
  );
}

async function serves(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`The public server exited with code ${server.exitCode}.`);
    const answer = await fetch(`${url}/ok`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
}
