import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { EngineRun } from "./engine-run";

/** A resource in the state of a stack. */
export interface StateResource {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  initErrors?: string[];
  protect?: boolean;
}

export interface StackState {
  resources: StateResource[];
  pendingOperations: { type: string; resource: StateResource }[];
}

const typescriptOptions = {
  strict: true,
  target: "es2022",
  module: "node16",
  moduleResolution: "node16",
  types: ["node"],
  skipLibCheck: true,
};

/** State as the engine writes it. */
interface EngineState {
  resources?: StateResource[];
  pending_operations?: StackState["pendingOperations"];
}

const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");

/** Salt that the engine has generated for the passphrase "open". */
const salt = `v1:${base64("903648a1dab323a7")}:v1:${base64("7e5809fb9e25b38c6d2547a0")}:${base64("425003e41dac95593a6d4500b419ee13d239fe3cc518")}`;

export interface StackOptions {
  pulumi: string;
  env: NodeJS.ProcessEnv;
  /** Folder of the project. */
  folder: string;
  /** Called for every run when it starts. */
  onRun: (run: EngineRun) => void;
}

/** A stack of a project, on which the real engine runs commands. */
export class Stack {
  private runs = 0;

  private constructor(
    readonly name: string,
    private readonly options: StackOptions,
  ) {}

  /** Creates the project and an empty stack with this name. */
  static async create(name: string, program: string, options: StackOptions): Promise<Stack> {
    const stack = new Stack(name, options);
    mkdirSync(options.folder, { recursive: true });
    stack.write("package.json", JSON.stringify({ name, private: true }));
    stack.write("Pulumi.yaml", `name: ${name}\nruntime: { name: nodejs, options: { typescript: false } }\n`);
    stack.program(program);
    await stack.initialize();
    return stack;
  }

  /**
   * Writes the same files as `pulumi stack init`. The engine derives a key from the passphrase in every command, which
   * takes longer than anything else that `stack init` does.
   */
  private async initialize(): Promise<void> {
    const { name, options } = this;
    const { PULUMI_BACKEND_URL: backend = "", PULUMI_HOME: home = "" } = options.env;
    const stack = `organization/${name}/${name}`;
    const latest = { secrets_providers: { type: "passphrase", state: { salt } }, metadata: {} };
    const projectHash = createHash("sha1").update(join(options.folder, "Pulumi.yaml")).digest("hex");
    const files = {
      [join(fileURLToPath(backend), ".pulumi", "meta.yaml")]: "version: 1\n",
      [this.stateFile]: JSON.stringify({ version: 3, checkpoint: { stack, latest } }),
      [join(options.folder, `Pulumi.${name}.yaml`)]: `encryptionsalt: ${salt}\n`,
      [join(home, "workspaces", `${name}-${projectHash}-workspace.json`)]: JSON.stringify({
        stacks: { [backend]: stack },
      }),
    };
    for (const [file, content] of Object.entries(files)) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
  }

  /** Returns the project folder. */
  get folder(): string {
    return this.options.folder;
  }

  write(file: string, content: string): void {
    writeFileSync(join(this.options.folder, file), content);
  }

  /** Replaces the program, which can use `pulumi`, `Deployment`, `getDeployment`, and `config`. */
  program(body: string): void {
    this.write(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");
const { Assistant, Cron, Deployment, Listener, Run, StoreItem, StoreItems, Thread, getDeployment } = require("pulumi-agentserver");
const config = new pulumi.Config();
${body}`,
    );
  }

  /** Lets the program use the provider plugin, whose executable is one of the package's commands. */
  usePlugin(): void {
    this.write(
      "Pulumi.yaml",
      `name: ${this.name}
runtime: { name: nodejs, options: { typescript: false } }
plugins: { providers: [{ name: agentserver, path: ../node_modules/.bin }] }
`,
    );
  }

  /** Replaces the program with a TypeScript program that has its own imports. */
  typescript(program: string, options: object = {}): void {
    rmSync(join(this.options.folder, "index.js"), { force: true });
    this.write("Pulumi.yaml", `name: ${this.name}\nruntime: nodejs\n`);
    const compilerOptions = { ...typescriptOptions, ...options };
    this.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["index.ts"] }));
    this.write("index.ts", program);
  }

  /** Sets an environment variable for all later runs. */
  environment(name: string, value: string | undefined): void {
    this.options.env = { ...this.options.env, [name]: value };
  }

  async config(key: string, value: string, ...flags: string[]): Promise<void> {
    await this.succeed("config", "set", ...flags, "--stack", this.name, "--", key, value);
  }

  /** Starts the engine without waiting for it. */
  start(command: string, ...words: string[]): EngineRun {
    const { pulumi, env, folder, onRun } = this.options;
    const eventLog = join(folder, `events-${++this.runs}.jsonl`);
    const logged = ["up", "preview", "refresh", "destroy"].includes(command);
    const all = ["--non-interactive", "--color=never", command, ...words];
    if (logged) all.push("--stack", this.name, "--event-log", eventLog);
    const run = new EngineRun(pulumi, all, { cwd: folder, env, eventLog });
    onRun(run);
    return run;
  }

  /** Runs the engine until it exits. The result contains its output. */
  async run(command: string, ...words: string[]): Promise<EngineRun> {
    const run = this.start(command, ...words);
    await run.ended;
    return run;
  }

  startUp(): EngineRun {
    return this.start("up", "--yes", "--skip-preview");
  }

  up() {
    return this.run("up", "--yes", "--skip-preview");
  }

  preview(...words: string[]) {
    return this.run("preview", ...words);
  }

  destroy() {
    return this.run("destroy", "--yes", "--skip-preview");
  }

  /** Returns the state that the engine has written. */
  async state(): Promise<StackState> {
    const { checkpoint } = JSON.parse(await readFile(this.stateFile, "utf8")) as {
      checkpoint: { latest?: EngineState };
    };
    const { resources = [], pending_operations: pendingOperations = [] } = checkpoint.latest ?? {};
    return { resources, pendingOperations };
  }

  /** Returns a resource in the state by its name in the program. */
  async resource(name: string): Promise<StateResource | undefined> {
    return (await this.state()).resources.find(({ urn }) => urn.endsWith(`::${name}`));
  }

  /** File of the state in the engine's backend. */
  private get stateFile(): string {
    const backend = fileURLToPath(this.options.env.PULUMI_BACKEND_URL!);
    const project = parse(readFileSync(join(this.options.folder, "Pulumi.yaml"), "utf8")) as { name: string };
    return join(backend, ".pulumi", "stacks", project.name, `${this.name}.json`);
  }

  urn(name: string, type = "pulumi-nodejs:dynamic/agentserver:Deployment"): string {
    return `urn:pulumi:${this.name}::${this.name}::${type}::${name}`;
  }

  private async succeed(...words: [string, ...string[]]) {
    const result = await this.run(...words);
    if (result.code !== 0) throw new Error(`pulumi ${words.join(" ")} failed:\n${result.output}`);
    return result;
  }
}
