import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { buildTargets } from "../../tools/build/targets";
import { repositoryRoot } from "../../tools/repository";
import { until } from "./waiting";
import { noProcessOf, processesOf } from "./processes";

/** Connection to the control plane of a checkout. */
export interface Plane {
  pid: number;
  baseUrl: string;
  apiKey: string;
  tenantId: string;
}

/** A process that runs an npm script. */
export class NpmRun {
  output = "";
  code: number | undefined;
  /** True if the process exited in the way that shells and scripts expect from an interrupted command. */
  wasInterrupted = false;
  readonly ended: Promise<void>;

  constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding("utf8").on("data", (text) => (this.output += text));
    this.ended = new Promise((resolve) =>
      child.on("close", (code, signal) => {
        this.code = code ?? undefined;
        this.wasInterrupted = code === 130 || signal === "SIGINT";
        resolve();
      }),
    );
  }

  /** Waits until the output matches; rejects if the process exits first. */
  async prints(text: RegExp): Promise<void> {
    await until(() => text.test(this.output) || this.child.exitCode !== null);
    if (!text.test(this.output)) throw new Error(`It ended without printing ${text}:\n${this.output}`);
  }

  /** Sends Ctrl-C to all processes of the command, in the same way as a terminal. */
  interrupt(): void {
    process.kill(-this.child.pid!, "SIGINT");
  }
}

/** Target that a checkout has not built yet. */
export const unbuiltTarget = "pulumi-agentserver-policies";

/**
 * A copy of this repository in a separate folder, with its dependencies installed. All targets except one are already
 * built, because compiling them takes longer than everything else.
 */
export class Checkout {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "agentserver-checkout-")));

  constructor() {
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      cwd: repositoryRoot,
      encoding: "utf8",
    });
    for (const file of listed.split("\0").filter((name) => name && existsSync(join(repositoryRoot, name))))
      cpSync(join(repositoryRoot, file), join(this.folder, file));
    const { workspaces } = JSON.parse(this.read("package.json")) as { workspaces: string[] };
    for (const folder of [".", ...workspaces]) this.copyModules(join(folder, "node_modules"));
    for (const { name, output } of buildTargets)
      if (name !== unbuiltTarget)
        cpSync(join(repositoryRoot, output), join(this.folder, output), { recursive: true });
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  /** Edits the source of the example agent. */
  editAgent(edit: (source: string) => string): void {
    const file = join("examples", "quickstart", "agent", "graph.ts");
    writeFileSync(join(this.folder, file), edit(readFileSync(join(repositoryRoot, file), "utf8")));
  }

  start(command: string): NpmRun {
    const child = spawn("npm", ["run", command], {
      cwd: this.folder,
      env: this.environment,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return new NpmRun(child);
  }

  /** Runs commands that a user pastes into a shell in another folder, and returns the output. */
  shell(commands: string): string {
    return execFileSync("sh", ["-ec", commands], { cwd: tmpdir(), env: this.environment, encoding: "utf8" });
  }

  async run(command: string): Promise<NpmRun> {
    const run = this.start(command);
    await run.ended;
    return run;
  }

  /** Returns the running control plane, if any. */
  get plane(): Plane | undefined {
    const folder = join(".agentserver", "control-plane");
    if (!existsSync(join(this.folder, folder, "running.json"))) return undefined;
    return {
      ...JSON.parse(this.read(join(folder, "running.json"))),
      ...JSON.parse(this.read(join(folder, "credentials.json"))),
    } as Plane;
  }

  /** Kills remaining processes, waits until they have exited, and removes the folder. */
  async remove(): Promise<void> {
    for (const { pid } of processesOf(this.folder)) process.kill(pid, "SIGKILL");
    await noProcessOf(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /**
   * Environment of a shell on this machine, with its own Node.js and npm and without the environment of the test run.
   */
  private get environment(): NodeJS.ProcessEnv {
    const own = Object.entries(process.env).filter(
      ([name]) => !/^(npm_|AGENTSERVER_(BASE_URL|API_KEY|TENANT_ID)$|NODE_ENV$|INIT_CWD$)/.test(name),
    );
    const path = (process.env.PATH ?? "").split(delimiter).filter((part) => !part.startsWith(repositoryRoot));
    return { ...Object.fromEntries(own), PATH: path.join(delimiter) };
  }

  /** Hard-links files if possible, because copying them takes a minute. */
  private copyModules(folder: string): void {
    const [from, to] = [join(repositoryRoot, folder), join(this.folder, folder)];
    if (!existsSync(from)) return;
    try {
      execFileSync("cp", ["-al", from, to], { stdio: "ignore" });
    } catch {
      rmSync(to, { recursive: true, force: true });
      execFileSync("cp", ["-a", from, to]);
    }
  }
}
