import {
  startControlPlane,
  VirtualClock,
  type ControlPlane,
  type ControlPlaneOptions,
  type JournalEntry,
} from "../../emulator/index";
import type { EngineLog } from "../../provider/engine/log";
import type { Clock } from "../../provider/clock";
import type { DeploymentInputs } from "../../provider/deployment/inputs/inputs";
import { deploymentKind } from "../../provider/deployment/kind";
import { SessionPool } from "../../provider/session/session-pool";
import { LimitedServer } from "./limited-server";
import { RecordedLog } from "./recorded-log";
import type { ServerLimits } from "./server-limits";
import { type Provider, Stack } from "./stack";
import { providerOf } from "./test-host";

/** Part of every secret in these tests. It may occur only in the state. */
export const canary = "canary-7f3a";

const worlds: World[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.end();
});

/** A local control plane in virtual time, with HTTP clients for it. */
export class World {
  readonly log = new RecordedLog();
  readonly failures: Error[] = [];

  /** Proxy of the control plane that applies limits. */
  private limited?: { server: LimitedServer; origin: string };

  private constructor(
    private running: ControlPlane,
    readonly clock: VirtualClock,
    private readonly options: ControlPlaneOptions,
  ) {
    worlds.push(this);
  }

  static async start(options: ControlPlaneOptions = {}, limits?: ServerLimits): Promise<World> {
    const clock = options.clock instanceof VirtualClock ? options.clock : new VirtualClock();
    const all = { apiKey: `${canary}-key`, tenantId: "tenant-1", clock, ...options };
    const world = new World(await startControlPlane(all), clock, all);
    if (limits) await world.limit(limits);
    return world;
  }

  private async limit(limits: ServerLimits): Promise<void> {
    const server = new LimitedServer(limits, () => new URL(this.plane.baseUrl).origin, this.clock);
    this.limited = { server, origin: await server.listen() };
  }

  get plane(): ControlPlane {
    return this.running;
  }

  /** Stops the control plane. Later requests cannot connect. */
  async stopPlane(): Promise<void> {
    this.forget();
    await this.plane.close();
  }

  /** Restarts the control plane with the same URL and the data in its state folder. */
  async restartPlane(): Promise<void> {
    this.running = await startControlPlane({
      ...this.options,
      port: Number(new URL(this.plane.baseUrl).port),
    });
  }

  get admin(): ControlPlane["admin"] {
    return this.plane.admin;
  }

  /** Clock that the provider uses. Its pauses advance virtual time. */
  get time(): Clock {
    return { now: () => this.clock.now(), sleep: this.clock.advancingSleep };
  }

  /** Base URL that the provider uses: that of the control plane, or of its proxy. */
  get address(): string {
    const { baseUrl } = this.plane;
    return this.limited ? this.limited.origin + new URL(baseUrl).pathname : baseUrl;
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      AGENTSERVER_BASE_URL: this.address,
      AGENTSERVER_API_KEY: this.plane.apiKey,
      AGENTSERVER_TENANT_ID: this.plane.tenantId,
      // Separate tests cover the requests of previews. In all other tests, faults and journals are for later requests.
      AGENTSERVER_OFFLINE: "true",
    };
  }

  /** Returns a provider as if in a new process. */
  host(env: NodeJS.ProcessEnv = {}, log: EngineLog = this.log): Provider {
    const environment = { ...this.environment, ...env };
    const sessions = new SessionPool({ env: environment, clock: this.time, random: () => 0.5 });
    return providerOf(deploymentKind(), { sessions, log });
  }

  /** Returns a stack whose program declares one deployment. */
  stack(env: NodeJS.ProcessEnv = {}, urn?: string): Stack {
    return new Stack(this, this.host(env), urn);
  }

  /** Returns a stack with a created deployment, and clears the journal and the log. */
  async deployed(inputs: DeploymentInputs = agent()): Promise<Stack> {
    const stack = this.stack();
    const { failure, checkFailures } = await stack.up(inputs);
    if (failure) throw failure;
    if (checkFailures.length > 0) throw new Error(JSON.stringify(checkFailures));
    this.forget();
    return stack;
  }

  /** Returns the requests that may have changed something. */
  get writes(): JournalEntry[] {
    return this.admin.journal({ writes: true });
  }

  /** Sends a request that bypasses the provider. */
  async request(method: string, path: string, body?: object): Promise<unknown> {
    const { baseUrl, apiKey, tenantId } = this.plane;
    const headers = { "content-type": "application/json", "x-api-key": apiKey, "x-tenant-id": tenantId };
    const answer = await fetch(baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
    expect(answer.ok).toBe(true);
    return answer.status === 204 ? undefined : answer.json();
  }

  /** Returns the record of a stack's deployment. */
  record(stack: Stack): Promise<unknown> {
    return this.request("GET", `/v2/deployments/${stack.deploymentId}`);
  }

  /** Clears the journal and the log. The check for secrets still covers their contents. */
  forget(): void {
    this.seen.push(JSON.stringify(this.admin.journal()), JSON.stringify(this.log.said));
    this.admin.clearJournal();
    this.log.said.length = 0;
  }

  private readonly seen: string[] = [];

  async end(): Promise<void> {
    if (worlds.includes(this)) worlds.splice(worlds.indexOf(this), 1);
    await this.limited?.server.close();
    try {
      this.requireNoSecrets();
    } finally {
      await this.plane.close();
    }
  }

  /** Checks that the user-visible output contains no secrets, and clears the journal and the log. */
  requireNoSecrets(): void {
    this.forget();
    const shown = this.failures
      .splice(0)
      .map((failure) => [
        failure.message,
        failure.stack,
        String(failure),
        (failure as { reasons?: string[] }).reasons,
      ]);
    expect(JSON.stringify([this.seen.splice(0), shown])).not.toContain(canary);
  }
}

/** Returns the inputs of an agent with a secret. */
export function agent(change: Partial<DeploymentInputs> = {}): DeploymentInputs {
  return {
    name: "support-agent",
    source: "github",
    sourceConfig: {
      repoUrl: "https://git.example.com/agents.git",
      deploymentType: "prod",
      buildOnPush: false,
    },
    sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },
    secrets: { MODEL_KEY: `${canary}-model` },
    ...change,
  };
}

/** Returns the inputs of an agent that is built from this ref. */
export function agentAt(repoRef: string, change: Partial<DeploymentInputs> = {}): DeploymentInputs {
  return agent({ sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" }, ...change });
}
