import { spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../lock.cjs";
import { signalGroup } from "../process-group";
import { repositoryRoot } from "../repository";
import { paths } from "./paths";

/** Running local control plane and its connection settings. */
export interface LocalControlPlane {
  baseUrl: string;
  apiKey: string;
  tenantId: string;
  processId: number;
}

/** Program and files of a local control plane. */
export interface ControlPlaneFiles {
  /** Main file of the `agentserver` command. */
  command: string;
  /** Folder for the state of the control plane. */
  state: string;
  log: string;
}

const ownFiles: ControlPlaneFiles = {
  command: join(repositoryRoot, "dist", "cli", "main.js"),
  state: paths.controlPlane,
  log: paths.controlPlaneLog,
};

const startTimeoutMs = 30_000;
const stopTimeoutMs = 20_000;
const pollMs = 50;

/** Finds the running control plane with this state, by default that of this checkout. */
export async function findControlPlane(state = ownFiles.state): Promise<LocalControlPlane | undefined> {
  const running = readJson<{ pid: number; baseUrl: string }>(state, "running.json");
  const credentials = readJson<{ apiKey: string; tenantId: string }>(state, "credentials.json");
  if (!running || !credentials || !isAlive(running.pid)) return undefined;
  const response = await fetch(`${running.baseUrl}/ok`).catch(() => undefined);
  return response?.ok ? { baseUrl: running.baseUrl, processId: running.pid, ...credentials } : undefined;
}

/** Starts the control plane in the background, where it runs until `stopControlPlane` is called. */
export async function startControlPlane(
  signal: AbortSignal,
  { command, state, log: logFile }: ControlPlaneFiles = ownFiles,
): Promise<LocalControlPlane> {
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const log = openSync(logFile, "w", 0o600);
  const child = spawn(process.execPath, [command, "emulate", "--state", state, "--rollout", "real"], {
    // Keys in the environment belong to other control planes; this one generates its own.
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("AGENTSERVER_"))),
    detached: true,
    stdio: ["ignore", log, log],
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  child.unref();
  try {
    for (const deadline = Date.now() + startTimeoutMs; ; await sleep(pollMs, undefined, { signal })) {
      const found = await findControlPlane(state);
      if (found) return found;
      if (hasEnded() || Date.now() > deadline)
        throw new Error(
          `The local control plane did not start. Fix the reported error and run the command again:\n${readFileSync(logFile, "utf8").trim()}`,
        );
    }
  } catch (error) {
    signalGroup(child.pid, "SIGTERM");
    throw signal.aborted ? signal.reason : error;
  }
}

/** Returns a link that opens the web console and signs the user in. It works only once. */
export async function consoleLink({ baseUrl, apiKey, tenantId }: LocalControlPlane): Promise<string> {
  const response = await fetch(`${baseUrl}/page/sign-in-codes`, {
    method: "POST",
    headers: { "X-Api-Key": apiKey, "X-Tenant-Id": tenantId },
  });
  if (!response.ok)
    throw new Error(
      `The local control plane did not return a link to its web console (status ${response.status}).`,
    );
  return ((await response.json()) as { link: string }).link;
}

/** Stops a control plane with all of its agents, and waits until it has exited. */
export async function stopControlPlane(processId: number): Promise<void> {
  process.kill(processId, "SIGTERM");
  for (const deadline = Date.now() + stopTimeoutMs; isAlive(processId); await sleep(pollMs))
    if (Date.now() > deadline) process.kill(processId, "SIGKILL");
}

function readJson<Content>(state: string, name: string): Content | undefined {
  const file = join(state, name);
  try {
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Content) : undefined;
  } catch {
    return undefined;
  }
}
