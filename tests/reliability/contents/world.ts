import { AsyncLocalStorage } from "node:async_hooks";
import axios, { AxiosError, AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from "axios";
import { VirtualClock } from "../../../emulator/index";
import { kinds } from "../../../provider/kinds";
import { SessionPool } from "../../../provider/session/session-pool";
import { RecordedLog } from "../../provider/recorded-log";
import type { Provider } from "../../provider/stack";
import { providerOf } from "../../provider/test-host";
import { AgentServer, type Answer } from "./agent-server";
import { v5 } from "./uuid";

export type Kind = "assistant" | "cron" | "thread" | "storeItem" | "storeItems";

/**
 * Faults of a request: the process is killed before or after the request, the response is lost, or the server rejects
 * the request.
 */
export const faults = [
  "killed before",
  "killed after",
  "lost",
  "lost with 500",
  "reset",
  "503",
  "429",
] as const;

/** Fault for one request of a command. The number of the request identifies it. */
export interface Fault {
  at: number;
  how: (typeof faults)[number];
}

/** End of a provider process, as reported to the engine. */
export class Killed extends Error {
  constructor() {
    super("the provider's process ended");
  }
}

/** Names of the agent servers: two deployments of the first control plane, and one without a control plane. */
export const placeNames = ["first", "second", "standalone"] as const;

export type PlaceName = (typeof placeNames)[number];

/** An agent server, and the way in which programs refer to it. */
export interface Place {
  server: AgentServer;
  url: string;
  reference: object;
}

const planes = ["https://one.example.com", "https://two.example.com"] as const;

/** A request that an agent server has processed. */
export interface Carried {
  method: string;
  /** URL of the agent server. */
  url: string;
  path: string;
  isWrite: boolean;
}

const acting = new AsyncLocalStorage<ProviderProcess>();
const usual = axios.defaults.adapter;
axios.defaults.adapter = (config) => {
  const process = acting.getStore();
  if (!process) throw new Error("a request of no provider");
  return process.send(config);
};

afterAll(() => {
  if (usual !== undefined) axios.defaults.adapter = usual;
});

/** In-memory control planes and agent servers. */
export class World {
  readonly clock = new VirtualClock();
  readonly log = new RecordedLog();
  readonly failures: Error[] = [];
  private readonly servers = new Map<string, AgentServer>();
  private readonly places = new Map<PlaceName, Place>();
  private replaced = 0;
  /** Called after each processed request. */
  onCarried: (request: Carried) => void = () => undefined;

  constructor() {
    for (const name of placeNames) this.start(name);
  }

  place(name: PlaceName): Place {
    return this.places.get(name)!;
  }

  /** Returns all agent servers that exist. */
  get all(): [string, AgentServer][] {
    return [...this.servers];
  }

  /** Replaces a deployment. Its agent server is removed, and a new one is started with a different ID. */
  replace(name: Exclude<PlaceName, "standalone">): void {
    this.servers.delete(this.place(name).url);
    this.replaced += 1;
    this.start(name);
  }

  /** Returns a provider in a separate simulated process. */
  process(
    kind: Kind,
    { plane = 0, fault }: { plane?: 0 | 1; fault?: Fault | undefined } = {},
  ): ProviderProcess {
    return new ProviderProcess(this, kind, planes[plane], fault);
  }

  carryOut(config: InternalAxiosRequestConfig): Answer {
    const { method = "get", url: path = "", baseURL = "" } = config;
    const query = (config.params ?? {}) as Record<string, unknown>;
    const body = JSON.parse(typeof config.data === "string" ? config.data : "{}") as Record<string, unknown>;
    const server = this.servers.get(baseURL.replace(/\/$/, ""));
    if (!server) return this.controlPlane(baseURL, path);
    const request = { method: method.toUpperCase(), url: baseURL, path };
    const isWrite = request.method !== "GET" && !/\/(search|count|namespaces)$/.test(path);
    const answer = server.answer(request.method, path, query, body);
    this.onCarried({ ...request, isWrite });
    return answer;
  }

  private controlPlane(baseUrl: string, path: string): Answer {
    const known = baseUrl.startsWith(planes[0])
      ? (["first", "second"] as const).map((name) => this.deploymentRecord(name))
      : [];
    const [, root, id] = path
      .split("/")
      .filter((part) => part !== "")
      .map((_, at, all) => all[at - 1] ?? "");
    void root;
    if (/\/v2\/deployments\/?$/.test(path))
      return { status: 200, body: { resources: known, offset: known.length } };
    const found =
      known.find((one) => path.endsWith(`/v2/deployments/${one.id}`)) ?? known.find((one) => one.id === id);
    return found ? { status: 200, body: found } : { status: 404, body: { detail: "not found" } };
  }

  private deploymentRecord(name: PlaceName) {
    const { url } = this.place(name);
    return { id: url.split("/").at(-1)!, name, url, source_config: {}, secrets: [] };
  }

  private start(name: PlaceName): void {
    const id = v5(`deployment ${name} ${this.replaced}`);
    const url = name === "standalone" ? "https://agents.example.com" : `${planes[0]}/agents/${id}`;
    const server = new AgentServer(["agent", "other"]);
    this.servers.set(url, server);
    const reference =
      name === "standalone" ? { connection: { url, apiKeyFrom: "AGENT_KEY" } } : { deployment: { id, url } };
    this.places.set(name, { server, url, reference });
  }
}

/** A provider in a separate simulated process, which a fault can stop. */
export class ProviderProcess {
  readonly provider: Provider;
  /** True if the fault has occurred. */
  faultOccurred = false;
  /** Write requests that agent servers have processed. */
  readonly writes: Carried[] = [];
  private requests = 0;
  private dead = false;
  private finish!: (end: Killed) => void;
  private readonly end = new Promise<never>((_, reject) => (this.finish = reject));

  constructor(
    private readonly world: World,
    kind: Kind,
    baseUrl: string,
    private readonly fault: Fault | undefined,
  ) {
    this.end.catch(() => undefined);
    const env = {
      AGENTSERVER_BASE_URL: baseUrl,
      AGENTSERVER_API_KEY: "key-of-the-control-plane",
      AGENTSERVER_TENANT_ID: "tenant-1",
      AGENTSERVER_DIALECT: "interface",
      AGENT_KEY: "key-of-the-standalone-server",
    };
    const clock = { now: () => world.clock.now(), sleep: world.clock.advancingSleep };
    const sessions = new SessionPool({ env, clock, random: () => 0.5 });
    const host = providerOf(kinds[kind](), { log: world.log, sessions });
    void host.configure({ config: { get: () => undefined } as never });
    this.provider = {
      configure: (...all) => this.alive(() => host.configure(...all)),
      check: (...all) => this.alive(() => host.check(...all)),
      diff: (...all) => this.alive(() => host.diff(...all)),
      create: (...all) => this.alive(() => host.create(...all)),
      update: (...all) => this.alive(() => host.update(...all)),
      read: (...all) => this.alive(() => host.read(...all)),
      delete: (...all) => this.alive(() => host.delete(...all)),
    };
  }

  async send(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
    if (this.dead) return this.nothing();
    this.requests += 1;
    const how = this.fault?.at === this.requests ? this.fault.how : undefined;
    if (how === undefined) return responseOf(config, this.carryOut(config));
    this.faultOccurred = true;
    if (how === "killed before") return this.die();
    if (how === "503" || how === "429")
      return responseOf(config, { status: Number(how) }, { "retry-after": "1" });
    if (how === "reset") throw new AxiosError("connect ECONNREFUSED", "ECONNREFUSED", config);
    this.carryOut(config);
    if (how === "killed after") return this.die();
    if (how === "lost with 500") return responseOf(config, { status: 500 });
    throw new AxiosError("socket hang up", "ECONNRESET", config);
  }

  private carryOut(config: InternalAxiosRequestConfig): Answer {
    const before = this.world.onCarried;
    this.world.onCarried = (request) => {
      if (request.isWrite) this.writes.push(request);
      before(request);
    };
    try {
      return this.world.carryOut(config);
    } finally {
      this.world.onCarried = before;
    }
  }

  private die(): Promise<never> {
    this.dead = true;
    this.finish(new Killed());
    return this.nothing();
  }

  private nothing(): Promise<never> {
    return new Promise<never>(() => undefined);
  }

  private alive<Result>(work: () => Promise<Result>): Promise<Result> {
    return Promise.race([this.end, acting.run(this, work)]);
  }
}

function responseOf(
  config: InternalAxiosRequestConfig,
  { status, body }: Answer,
  more: Record<string, string> = {},
): AxiosResponse {
  const headers = new AxiosHeaders({ "content-type": "application/json", ...more });
  const shown = body === undefined && status >= 300 ? { detail: "fault" } : body;
  const data = shown === undefined ? "" : JSON.stringify(shown);
  return { status, statusText: "", headers, config, data, request: {} };
}
