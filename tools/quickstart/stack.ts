import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { shellWord } from "../../provider/text/shell-word";
import { compileCacheFolder } from "../cache-folder";
import { engineEnvironment } from "../dev-engine/environment";
import type { Engine } from "../dev-engine/ensure";
import type { PythonProgram } from "../python/program";
import { run } from "../process";
import type { LocalControlPlane } from "./control-plane";
import { ensureProject, type Example, paths, stackName } from "./paths";
import { shellLines } from "./shell-settings";

/** Delay between the two interrupts that make the engine stop immediately, in milliseconds. */
const secondInterruptMs = 200;
/** Time after which an interrupted engine is killed, in milliseconds. */
const killMs = 8_000;

/** Outputs of the quickstart's program. */
interface StackOutputs {
  deploymentId: string;
  revisionId: string;
  url: string;
}

/** State of the quickstart's stack. */
export interface StackContents {
  outputs?: StackOutputs;
  /** True if the stack has pending operations of an interrupted run. */
  interrupted: boolean;
  /** Text that changes whenever a resource is added, removed, or changed. */
  version: string;
}

/** Relevant parts of a stack's state. */
interface StackState {
  resources?: { urn: string; type: string; modified?: string; outputs?: StackOutputs }[];
  pending_operations?: unknown[];
}

/** Stack of the quickstart, with the engine that updates it. */
export class Stack {
  private readonly environment: Record<string, string>;

  constructor(
    private readonly example: Example,
    private readonly engine: Engine,
    plane: LocalControlPlane,
    private readonly signal: AbortSignal,
    private readonly python?: PythonProgram,
  ) {
    ensureProject(example);
    this.environment = {
      // The language host, the program, and the provider are compiled only once.
      NODE_COMPILE_CACHE: compileCacheFolder(process.env),
      ...engineEnvironment({ engine, stateFolder: paths.engine, passphrase: passphrase() }),
      AGENTSERVER_BASE_URL: plane.baseUrl,
      AGENTSERVER_API_KEY: plane.apiKey,
      AGENTSERVER_TENANT_ID: plane.tenantId,
      ...python?.env,
    };
  }

  /**
   * Writes two scripts that set up a shell. One is for this stack, so that the commands in messages can be pasted into
   * the shell. The other one is for other programs, and does not connect them to the control plane. The scripts refer
   * to files that contain secrets, but do not contain any themselves.
   * @returns the commands that load the scripts
   */
  writeShellSettings(): { forStack: string; forOthers: string } {
    const { PULUMI_BACKEND_URL, PULUMI_HOME, AGENTSERVER_BASE_URL, AGENTSERVER_TENANT_ID } = this.environment;
    const variables = {
      PULUMI_BACKEND_URL: PULUMI_BACKEND_URL!,
      PULUMI_HOME: PULUMI_HOME!,
      PULUMI_CONFIG_PASSPHRASE_FILE: paths.passphrase,
    };
    const folders = [this.engine.pulumi, process.execPath].map((program) => dirname(program));
    const engine = { folders, variables, removed: ["PULUMI_CONFIG_PASSPHRASE"] };
    const python = this.python?.command.slice(0, 1).map((program) => dirname(program)) ?? [];
    const key = shellWord("JSON.parse(fs.readFileSync(process.argv[1])).apiKey");
    const { projectFolder, shellSettings } = this.example;
    const forStack = [
      `cd ${shellWord(projectFolder)}`,
      ...shellLines({
        folders: [...folders, ...python],
        variables: {
          ...variables,
          AGENTSERVER_BASE_URL: AGENTSERVER_BASE_URL!,
          AGENTSERVER_TENANT_ID: AGENTSERVER_TENANT_ID!,
          ...this.python?.env,
        },
        removed: [...engine.removed, "AGENTSERVER_ACCESS_TOKEN"],
      }),
      `export AGENTSERVER_API_KEY="$(node -p ${key} ${shellWord(paths.credentials)})"`,
    ];
    const scripts = { [shellSettings]: forStack, [paths.shellSettings]: shellLines(engine) };
    for (const [file, lines] of Object.entries(scripts)) writeFileSync(file, `${lines.join("\n")}\n`);
    return { forStack: `. ${shellWord(shellSettings)}`, forOthers: `. ${shellWord(paths.shellSettings)}` };
  }

  async exists(): Promise<boolean> {
    if (existsSync(this.stateFile)) return true;
    const stacks = JSON.parse(await this.output(["stack", "ls", "--json"])) as { name: string }[];
    return stacks.some(({ name }) => name === stackName);
  }

  async create(): Promise<void> {
    await this.output(["stack", "init", stackName]);
    await this.output(["config", "set", "--stack", stackName, "--secret", "greeting", "Hello"]);
  }

  /** Runs `pulumi up` on our terminal, and resolves with its exit code. */
  up(settings: Record<string, string>): Promise<number> {
    const pairs = Object.entries(settings).map(([key, value]) => `${key}=${value}`);
    if (this.python) {
      const [python, script] = this.python.command;
      return this.show([script, stackName, "up", ...pairs], python);
    }
    return this.show([
      "up",
      "--stack",
      stackName,
      "--yes",
      "--skip-preview",
      "--suppress-permalink=true",
      ...pairs.flatMap((pair) => ["--config", pair]),
    ]);
  }

  /** Destroys the stack's resources and removes the stack. Resolves with the engine's exit code. */
  destroy(): Promise<number> {
    return this.show([
      "destroy",
      "--stack",
      stackName,
      "--yes",
      "--skip-preview",
      "--remove",
      "--suppress-permalink=true",
    ]);
  }

  /** Returns the state of the stack. */
  async inspect(): Promise<StackContents> {
    const state = await this.state();
    const resources = state.resources ?? [];
    const stack = resources.find(({ type }) => type === "pulumi:pulumi:Stack");
    return {
      outputs: stack?.outputs?.url ? stack.outputs : undefined,
      interrupted: (state.pending_operations?.length ?? 0) > 0,
      version: JSON.stringify(resources.map(({ urn, modified }) => [urn, modified])),
    };
  }

  /**
   * Reads the state from the backend's file, because that is fast. If the engine stores the state elsewhere, exports
   * it.
   */
  private async state(): Promise<StackState> {
    if (existsSync(this.stateFile)) {
      const { checkpoint } = JSON.parse(readFileSync(this.stateFile, "utf8")) as {
        checkpoint?: { latest?: StackState };
      };
      return checkpoint?.latest ?? {};
    }
    const exported = await this.output(["stack", "export", "--stack", stackName]);
    return (JSON.parse(exported) as { deployment: StackState }).deployment;
  }

  private get stateFile(): string {
    return join(paths.engine, "stacks", ".pulumi", "stacks", this.example.name, `${stackName}.json`);
  }

  /** Removes the lock of a killed engine. No other process uses the stack, because the caller holds our own lock. */
  async unlock(): Promise<void> {
    const locks = join(paths.engine, "stacks", ".pulumi", "locks");
    if (!existsSync(locks)) return;
    const left = readdirSync(locks, { recursive: true, encoding: "utf8" });
    if (left.some((name) => name.endsWith(".json")))
      await this.output(["cancel", "--stack", stackName, "--yes"]);
  }

  /**
   * Removes pending operations from the stack. The provider has already resolved them, but the engine would keep
   * warning about them.
   */
  async clearPendingOperations(): Promise<void> {
    await this.output([
      "refresh",
      "--stack",
      stackName,
      "--yes",
      "--skip-preview",
      "--clear-pending-creates",
    ]);
  }

  private async output(args: string[]): Promise<string> {
    const options = { cwd: this.example.projectFolder, env: this.environment, signal: this.signal };
    const { code, stdout, stderr } = await run(this.engine.pulumi, [...args, "--non-interactive"], options);
    if (code === 0) return stdout;
    throw new Error(`pulumi ${args.slice(0, 2).join(" ")} failed: ${stderr.trim()}`);
  }

  /** Runs the engine on our terminal and in our process group, so that it also receives Ctrl-C. */
  private show(args: string[], program = this.engine.pulumi): Promise<number> {
    this.signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd: this.example.projectFolder,
        env: this.environment,
        stdio: "inherit",
      });
      const timers: NodeJS.Timeout[] = [];
      const interrupt = () => {
        child.kill("SIGINT");
        // After the first interrupt, the engine waits for the rollout; the second one stops it.
        timers.push(setTimeout(() => child.kill("SIGINT"), secondInterruptMs));
        timers.push(setTimeout(() => child.kill("SIGKILL"), killMs));
      };
      this.signal.addEventListener("abort", interrupt, { once: true });
      child.on("error", reject);
      child.on("exit", (code) => {
        timers.forEach(clearTimeout);
        this.signal.removeEventListener("abort", interrupt);
        if (this.signal.aborted) reject(this.signal.reason);
        else resolve(code ?? 1);
      });
    });
  }
}

function passphrase(): string {
  if (!existsSync(paths.passphrase))
    writeFileSync(paths.passphrase, randomBytes(24).toString("base64url"), { mode: 0o600 });
  return readFileSync(paths.passphrase, "utf8");
}
