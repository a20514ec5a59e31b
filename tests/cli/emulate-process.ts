import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";
import { until } from "../tools/waiting";

const started: EmulateProcess[] = [];

/** Kills all `agentserver emulate` processes that are still running. */
export function endAll(): void {
  for (const { child } of started) child.kill("SIGKILL");
}

/** Options of an `agentserver emulate` process. */
export interface Surroundings {
  folder: string;
  /** Environment variables to add. The others come from the test run, except for all `AGENTSERVER_*` variables. */
  environment?: Record<string, string>;
  /**
   * File descriptor for standard error.
   * @default the output is collected
   */
  stderr?: number;
}

/** Process of an installed `agentserver emulate`, with its output. */
export class EmulateProcess {
  stdout = "";
  stderr = "";
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;

  constructor({ folder, environment, stderr }: Surroundings, ...words: string[]) {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("AGENTSERVER_"));
    const stdio: StdioOptions = ["ignore", "pipe", stderr ?? "pipe"];
    this.child = spawn(
      process.execPath,
      [join(repositoryRoot, "dist", "cli", "main.js"), "emulate", ...words],
      { cwd: folder, env: { ...Object.fromEntries(own), ...environment }, stdio },
    );
    this.child.stdout!.setEncoding("utf8").on("data", (text) => (this.stdout += text));
    this.child.stderr?.setEncoding("utf8").on("data", (text) => (this.stderr += text));
    this.ended = new Promise((resolve) =>
      this.child.on("close", (code, signal) => resolve({ code, signal })),
    );
    started.push(this);
  }

  /** Waits until the control plane is ready, and returns the base URL that it prints. */
  async address(): Promise<string> {
    await until(() => this.stdout.includes("AGENTSERVER_API_KEY") || this.child.exitCode !== null);
    const [, address] = /^ {2}export AGENTSERVER_BASE_URL=(\S+)$/m.exec(this.stdout) ?? [];
    if (!address) throw new Error(`It did not start: ${this.stderr}`);
    return address;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM") {
    this.child.kill(signal);
    return this.ended;
  }
}
