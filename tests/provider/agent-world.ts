import { randomUUID } from "node:crypto";
import { type ControlPlane, VirtualClock } from "../../emulator/index";
import type { Clock } from "../../provider/clock";
import { type KindName as AnyKindName, kinds } from "../../provider/kinds";
import { SessionPool } from "../../provider/session/session-pool";
import { runDeployment } from "../emulator/gateway/deployment";
import { RecordedLog } from "./recorded-log";
import { type Provider, Stack } from "./stack";
import { providerOf } from "./test-host";
import { canary } from "./world";

type KindName = Exclude<AnyKindName, "provider" | "listener">;

/** A deployment with a real agent, and providers for its resources. The pauses of the providers take no time. */
export class AgentWorld {
  readonly log = new RecordedLog();
  readonly failures: Error[] = [];
  readonly clock = new VirtualClock();
  /** Called once, during the next pause of at least 30 seconds. */
  duringPause?: (() => Promise<unknown>) | undefined;

  private constructor(
    readonly plane: ControlPlane,
    readonly url: string,
  ) {}

  /** Starts a world, which is stopped after the tests of the file. */
  static async start(files?: Record<string, string>): Promise<AgentWorld> {
    const { plane, url } = await runDeployment({ apiKey: `${canary}-key`, tenantId: "tenant-1" }, files);
    return new AgentWorld(plane, url);
  }

  /** Input that specifies the deployment that a resource belongs to. */
  get deployment(): { deployment: { id: string; url: string } } {
    return { deployment: { id: this.url.split("/").at(-1)!, url: this.url } };
  }

  get admin(): ControlPlane["admin"] {
    return this.plane.admin;
  }

  /** Returns a provider as if in a new process. */
  host(
    kind: KindName,
    env?: NodeJS.ProcessEnv,
    config: Record<string, string> = {},
    sessions = this.sessions(env),
  ): Provider {
    const host = providerOf(kinds[kind](), { log: this.log, sessions });
    void host.configure({ config: { get: (key: string) => config[key] } as never });
    return host;
  }

  private sessions(env?: NodeJS.ProcessEnv): SessionPool {
    return new SessionPool({ env: env ?? this.environment, clock: this.time, random: () => 0.5 });
  }

  /** Environment variables that configure the connection to the control plane. */
  get environment(): NodeJS.ProcessEnv {
    return {
      AGENTSERVER_BASE_URL: this.plane.baseUrl,
      AGENTSERVER_API_KEY: this.plane.apiKey,
      AGENTSERVER_TENANT_ID: this.plane.tenantId,
    };
  }

  /** Clock that the providers use. Its pauses advance virtual time. */
  get time(): Clock {
    const sleep = async (ms: number, signal?: AbortSignal) => {
      const { duringPause } = this;
      if (ms >= 30_000) this.duringPause = undefined;
      if (ms >= 30_000) await duringPause?.();
      await this.clock.advancingSleep(ms, signal);
    };
    return { now: () => this.clock.now(), sleep };
  }

  /** Returns a stack whose program declares a single resource. */
  stack(kind: KindName, name: string = randomUUID(), stack = "dev"): Stack {
    const type = `pulumi-nodejs:dynamic/agentserver:${kind[0]!.toUpperCase()}${kind.slice(1)}`;
    return new Stack(this, this.host(kind), `urn:pulumi:${stack}::shop::${type}::${name}`);
  }

  /** Returns one stack with a single resource for each of the kinds. The providers of the stacks share a process. */
  stacks(kindNames: readonly KindName[]): Stack[] {
    const sessions = this.sessions();
    return kindNames.map((kind) => {
      const stack = this.stack(kind);
      stack.host = this.host(kind, undefined, {}, sessions);
      return stack;
    });
  }

  /** Returns the writes to the agent server since the last call, with IDs replaced. */
  writes(): string[] {
    const entries = this.admin.journal({ writes: true, agents: true });
    this.admin.clearJournal();
    return entries
      .map(({ method, path }) => `${method} ${path.replace(/^\/agents\/[^/]+/, "")}`)
      .filter((request) => !/\/(search|count)$/.test(request))
      .map((request) => request.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID"));
  }

  /** Sends a request that bypasses the provider. */
  async ask<Answer = unknown>(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { "content-type": "application/json", "X-Api-Key": this.plane.apiKey };
    const answer = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${text}`);
    this.admin.clearJournal();
    return (text === "" ? undefined : JSON.parse(text)) as Answer;
  }

  /** Clears the log and the journal. */
  forget(): void {
    this.log.said.length = 0;
    this.admin.clearJournal();
  }
}
