import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AdminLibrary, ControlPlane } from "../../emulator/index";
import type { Engine } from "../../tools/dev-engine/ensure";
import { engineEnvironment } from "../../tools/dev-engine/environment";

/** Cost of one engine command. */
export interface Figures {
  seconds: number;
  /** CPU time of the engine and all of its processes. */
  cpuSeconds: number;
  /** Peak memory usage of the engine and all of its processes. */
  mebibytes: number;
  /** Number of read requests to the control plane. */
  reads: number;
  writes: number;
}

/** Interval between measurements, in milliseconds. */
const intervalMs = 25;

/** Clock ticks per second in the kernel's statistics. */
const ticksPerSecond = 100;

/** Returns a stopwatch for a project whose stack uses a control plane. */
export function stopwatchOf(
  project: string,
  engine: Engine,
  { baseUrl, apiKey, tenantId, admin }: ControlPlane,
  variables: NodeJS.ProcessEnv = {},
): Stopwatch {
  const env = {
    ...engineEnvironment({ engine, stateFolder: join(project, "engine"), passphrase: "open" }),
    PULUMI_STACK: "fleet",
    AGENTSERVER_BASE_URL: baseUrl,
    AGENTSERVER_API_KEY: apiKey,
    AGENTSERVER_TENANT_ID: tenantId,
    ...variables,
  };
  return new Stopwatch(engine.pulumi, project, env, admin);
}

/** Runs the engine, and measures its duration, CPU time, memory, and requests. */
export class Stopwatch {
  constructor(
    private readonly pulumi: string,
    private readonly project: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly admin: Pick<AdminLibrary, "journal" | "clearJournal">,
  ) {}

  async run(...args: [string, ...string[]]): Promise<Figures> {
    this.admin.clearJournal();
    let most = 0;
    const ticks = new Map<string, number>();
    const began = performance.now();
    const child = spawn(this.pulumi, ["--non-interactive", "--color=never", ...args], {
      cwd: this.project,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const measure = () => {
      const processes = processesOf(child.pid!);
      most = Math.max(
        most,
        processes.reduce((total, { pages }) => total + pages * 4096, 0),
      );
      for (const one of processes) ticks.set(one.id, one.ticks);
    };
    const timer = setInterval(measure, intervalMs);
    const code = await new Promise((resolve) => child.on("close", resolve));
    clearInterval(timer);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} failed:\n${output}`);
    const seconds = (performance.now() - began) / 1000;
    const writes = this.admin.journal({ writes: true }).length;
    // The journal drops old requests, but their numbers continue.
    const requests = this.admin.journal().at(-1)?.sequence ?? 0;
    const cpuSeconds = [...ticks.values()].reduce((total, one) => total + one, 0) / ticksPerSecond;
    return { seconds, cpuSeconds, mebibytes: Math.round(most / 2 ** 20), reads: requests - writes, writes };
  }

  /** Returns the stack's state as stored by the backend. */
  state(): Promise<string> {
    const child = spawn(this.pulumi, ["stack", "export"], {
      cwd: this.project,
      env: this.env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    return new Promise((resolve) => child.on("close", () => resolve(text)));
  }
}

/** Returns a process and its descendants, with their resident memory and CPU time according to the kernel. */
function processesOf(root: number): { id: string; pages: number; ticks: number }[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const below = new Set([String(root)]);
  const stats = processes.flatMap((id) => {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1]!.split(" ");
      return [
        { id, parent: fields[1]!, pages: Number(fields[21]), ticks: Number(fields[11]) + Number(fields[12]) },
      ];
    } catch {
      // The process has exited.
      return [];
    }
  });
  for (let size = 0; size !== below.size;) {
    size = below.size;
    for (const { id, parent } of stats) if (below.has(parent)) below.add(id);
  }
  return stats.filter(({ id }) => below.has(id));
}
