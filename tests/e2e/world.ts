import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "../../emulator/index";
import { type Engine, ensureEngine } from "../../tools/dev-engine/ensure";
import { engineEnvironment } from "../../tools/dev-engine/environment";
import { canaries, canariesIn, filesWithCanaries } from "./canaries";
import { EngineRun } from "./engine-run";
import { installPacked } from "./packed-package";
import { noProcessOf } from "./processes";
import { Stack } from "./stack";

/** The real engine with a separate backend, the packed package, and a local control plane in this process. */
export class World {
  private readonly runs: EngineRun[] = [];

  private constructor(
    readonly folder: string,
    readonly engine: Engine,
    readonly plane: ControlPlane,
  ) {}

  /** @param options options of the control plane; "none" as `package` means that the package is not installed */
  static async start(options: ControlPlaneOptions & { package?: "packed" | "none" } = {}): Promise<World> {
    const { package: wanted = "packed", ...planeOptions } = options;
    const engine = await ensureEngine();
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentserver-e2e-")));
    if (wanted === "packed") await installPacked(folder);
    const plane = await startControlPlane({
      state: join(folder, "control-plane"),
      apiKey: canaries.apiKey,
      tenantId: "tenant-1",
      ...planeOptions,
    });
    return new World(folder, engine, plane);
  }

  get admin(): ControlPlane["admin"] {
    return this.plane.admin;
  }

  /** Folder for everything that the engine writes: stacks with their history and backups, and its home folder. */
  get engineFolder(): string {
    return join(this.folder, "engine");
  }

  /** Environment of a user, with the connection settings. */
  get environment(): NodeJS.ProcessEnv {
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("AGENTSERVER_"));
    return {
      ...engineEnvironment({
        engine: this.engine,
        stateFolder: this.engineFolder,
        passphrase: "open",
        env: Object.fromEntries(own),
      }),
      // Lets the engine write its events to a file.
      PULUMI_DEBUG_COMMANDS: "true",
      AGENTSERVER_BASE_URL: this.plane.baseUrl,
      AGENTSERVER_API_KEY: this.plane.apiKey,
      AGENTSERVER_TENANT_ID: this.plane.tenantId,
    };
  }

  /** Creates a stack with this program, in a separate folder. */
  stack(
    name: string,
    program = "",
    folder = join(this.folder, name),
    env: NodeJS.ProcessEnv = {},
  ): Promise<Stack> {
    return Stack.create(name, program, {
      pulumi: this.engine.pulumi,
      env: { ...this.environment, ...env },
      folder,
      onRun: (run) => this.runs.push(run),
    });
  }

  /**
   * Starts a program that runs the engine itself.
   * @param command program and its arguments
   */
  startProgram([program, ...words]: [string, ...string[]], cwd: string, env: NodeJS.ProcessEnv): EngineRun {
    const run = new EngineRun(program, words, { cwd, env: { ...this.environment, ...env } });
    this.runs.push(run);
    return run;
  }

  /** Returns the writes since the last call: the method and path, the body, and the keys of the body. */
  writes(agents = false): { request: string; keys: string[]; body: unknown }[] {
    const entries = this.admin.journal({ writes: true, agents });
    this.admin.clearJournal();
    return entries.map(({ method, path, body }) => ({
      request: `${method} ${path.replace(/^\/api-host/, "")}`,
      keys: Object.keys(body ?? {}),
      body,
    }));
  }

  /** Sends a request to the control plane with the API key. */
  async get<Answer>(path: string): Promise<Answer> {
    const headers = { "X-Api-Key": this.plane.apiKey, "X-Tenant-Id": this.plane.tenantId };
    const answer = await fetch(this.plane.baseUrl + path, { headers });
    if (!answer.ok) throw new Error(`GET ${path} returned ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }

  async deployments(): Promise<{ id: string; name: string; latest_revision_id: string }[]> {
    const { resources } = await this.get<{
      resources: { id: string; name: string; latest_revision_id: string }[];
    }>("/v2/deployments");
    return resources;
  }

  /** Returns the statuses of a deployment's revisions, oldest first. */
  async revisions(deploymentId: string): Promise<string[]> {
    const { resources } = await this.get<{ resources: { status: string }[] }>(
      `/v2/deployments/${deploymentId}/revisions`,
    );
    return resources.map(({ status }) => status).reverse();
  }

  /** Stops everything, and checks that no processes remain and that the user-visible output contains no secrets. */
  async end(): Promise<void> {
    for (const run of this.runs) run.kill();
    const journal = this.admin.journal().map((entry) => JSON.stringify(entry));
    await this.plane.close();
    await noProcessOf(this.folder);
    const shown = this.runs.flatMap(({ output, events }) => [
      ...output.split("\n"),
      ...events.map((event) => JSON.stringify(event)),
    ]);
    shown.push(...journal);
    const files = filesWithCanaries(this.engineFolder);
    rmSync(this.folder, { recursive: true, force: true });
    expect(shown.filter((line) => canariesIn(line).length > 0)).toEqual([]);
    expect(files).toEqual([]);
  }
}
