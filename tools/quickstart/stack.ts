import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileCacheFolder } from "../cache-folder";
import { engineEnvironment } from "../engine/environment";
import type { Engine } from "../engine/ensure";
import { run } from "../process";
import type { LocalControlPlane } from "./control-plane";
import { ensureProject, type Example, places, stackName } from "./places";

/** Time between the two interrupts that the engine needs to end at once, in milliseconds. */
const secondInterruptMs = 200;
/** Time after which an interrupted engine is killed, in milliseconds. */
const killMs = 8_000;

/** The outputs of the quickstart's program. */
interface StackOutputs {
  deploymentId: string;
  revisionId: string;
  url: string;
}

/** What the quickstart's stack holds at one moment. */
export interface StackContents {
  outputs?: StackOutputs;
  /** Whether an interrupt has left notes about operations in it. */
  interrupted: boolean;
  /** Another text whenever a resource came, went or changed. */
  version: string;
}

/** The parts of a stack's state that matter here. */
interface StackState {
  resources?: { urn: string; type: string; modified?: string; outputs?: StackOutputs }[];
  pending_operations?: unknown[];
}

/** The quickstart's stack, with the engine that works on it. */
export class Stack {
  private readonly environment: Record<string, string>;

  constructor(
    private readonly example: Example,
    private readonly engine: Engine,
    plane: LocalControlPlane,
    private readonly signal: AbortSignal,
  ) {
    ensureProject(example);
    this.environment = {
      // The language host, the program and the provider are compiled once, not with each command.
      NODE_COMPILE_CACHE: compileCacheFolder(process.env),
      ...engineEnvironment({ engine, stateFolder: places.engine, passphrase: passphrase() }),
      AGENTSERVER_BASE_URL: plane.baseUrl,
      AGENTSERVER_API_KEY: plane.apiKey,
      AGENTSERVER_TENANT_ID: plane.tenantId,
    };
  }

  async exists(): Promise<boolean> {
    if (existsSync(this.stateFile)) return true;
    const stacks = JSON.parse(await this.ask(["stack", "ls", "--json"])) as { name: string }[];
    return stacks.some(({ name }) => name === stackName);
  }

  async create(): Promise<void> {
    await this.ask(["stack", "init", stackName]);
    await this.ask(["config", "set", "--stack", stackName, "--secret", "greeting", "Hello"]);
  }

  /** Shows the engine at work; returns its exit code. */
  up(settings: Record<string, string>): Promise<number> {
    const pairs = Object.entries(settings).flatMap(([key, value]) => ["--config", `${key}=${value}`]);
    return this.show([
      "up",
      "--stack",
      stackName,
      "--yes",
      "--skip-preview",
      "--suppress-permalink=true",
      ...pairs,
    ]);
  }

  /** Destroys what the stack holds, then the stack itself; returns the engine's exit code. */
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

  /** What the stack holds. */
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

  /** Read off the backend's file, which takes no time; an engine that keeps it elsewhere is asked. */
  private async state(): Promise<StackState> {
    if (existsSync(this.stateFile)) {
      const { checkpoint } = JSON.parse(readFileSync(this.stateFile, "utf8")) as {
        checkpoint?: { latest?: StackState };
      };
      return checkpoint?.latest ?? {};
    }
    const exported = await this.ask(["stack", "export", "--stack", stackName]);
    return (JSON.parse(exported) as { deployment: StackState }).deployment;
  }

  private get stateFile(): string {
    return join(places.engine, "stacks", ".pulumi", "stacks", this.example.name, `${stackName}.json`);
  }

  /** Takes away the lock of an engine that was killed. Nobody else is at work: the caller holds our own lock. */
  async unlock(): Promise<void> {
    const locks = join(places.engine, "stacks", ".pulumi", "locks");
    if (!existsSync(locks)) return;
    const left = readdirSync(locks, { recursive: true, encoding: "utf8" });
    if (left.some((name) => name.endsWith(".json")))
      await this.ask(["cancel", "--stack", stackName, "--yes"]);
  }

  /**
   * Takes the notes about interrupted operations out of the stack: the provider has found out by itself what became
   * of them, but the engine would warn about them for ever.
   */
  async forgetInterrupted(): Promise<void> {
    await this.ask(["refresh", "--stack", stackName, "--yes", "--skip-preview", "--clear-pending-creates"]);
  }

  private async ask(words: string[]): Promise<string> {
    const options = { cwd: this.example.projectFolder, env: this.environment, signal: this.signal };
    const { code, stdout, stderr } = await run(this.engine.pulumi, [...words, "--non-interactive"], options);
    if (code === 0) return stdout;
    throw new Error(`pulumi ${words.slice(0, 2).join(" ")} failed: ${stderr.trim()}`);
  }

  /** Runs the engine on our own terminal, in our process group: it draws there, and Ctrl-C reaches it as well. */
  private show(words: string[]): Promise<number> {
    this.signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const child = spawn(this.engine.pulumi, words, {
        cwd: this.example.projectFolder,
        env: this.environment,
        stdio: "inherit",
      });
      const timers: NodeJS.Timeout[] = [];
      const interrupt = () => {
        child.kill("SIGINT");
        // One interrupt makes the engine wait for the rollout; the second one ends it.
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
  if (!existsSync(places.passphrase))
    writeFileSync(places.passphrase, randomBytes(24).toString("base64url"), { mode: 0o600 });
  return readFileSync(places.passphrase, "utf8");
}
