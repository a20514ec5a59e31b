import { deploymentHost } from "../../../provider/deployment-host";
import { AsyncLocalStorage } from "node:async_hooks";
import axios, {
  AxiosHeaders,
  type AxiosAdapter,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from "axios";
import type { ServerLimits } from "../../../provider/server-limits";
import type { Provider } from "../../../provider/stack";
import type { World } from "../../../provider/world";
import { limited } from "./limited-requests";
import { lose, type Loss } from "./losses";
import { Shown } from "./shown";

/** Fault during a command. */
export type Fault =
  /** The provider process exits before the `at`-th pause, request, or use of a response. */
  | { kind: "killed"; at: number }
  /** The response to the `at`-th request is lost. */
  | { kind: "lost"; at: number; how: Loss }
  /** The server rejects the `at`-th write. */
  | { kind: "refused"; at: number; status: number }
  /** The control plane stops at the `at`-th request, which it may still process, and rejects some later ones. */
  | { kind: "outage"; at: number; carriedOut: boolean; refused: number };

/** End of a provider process, as reported to the engine. */
export class Killed extends Error {
  constructor() {
    super("the provider's process ended");
  }
}

/** Options of a provider process. */
export interface ProcessOptions {
  env: NodeJS.ProcessEnv;
  limits: ServerLimits;
  fault?: Fault;
  /** Called before each request to the control plane, with the number of requests so far and the method. */
  beforeRequest?: (count: number, method: string) => Promise<void>;
}

const acting = new AsyncLocalStorage<ProviderProcess>();
const http = axios.getAdapter("http");
// Requests are real; only the kills before and after them, and the limits of the server, are simulated.
axios.defaults.adapter = (config) => {
  const process = acting.getStore();
  return process ? process.send(config) : http(config);
};

/** A provider in a separate simulated process, which can exit at any time and does nothing afterward. */
export class ProviderProcess {
  readonly provider: Provider;
  /** True if the fault has occurred. */
  struck = false;
  /** Responses that the provider has received. Tests replace the object to observe a single resource. */
  shown = new Shown();
  private moments = 0;
  private requests = 0;
  private writes = 0;
  private refusals = 0;
  private dead = false;
  /** Resolves when the control plane has stopped; `undefined` while it is running. */
  private planeEnd: Promise<void> | undefined;
  private readonly fault: Fault | undefined;
  private readonly beforeRequest: ProcessOptions["beforeRequest"];
  private readonly http: AxiosAdapter;
  private readonly end: Promise<never>;
  private finish!: (end: Killed) => void;

  constructor(
    private readonly world: World,
    { env, limits, fault, beforeRequest }: ProcessOptions,
  ) {
    this.fault = fault;
    this.beforeRequest = beforeRequest;
    this.http = limited(http, limits);
    this.end = new Promise<never>((_, reject) => (this.finish = reject));
    this.end.catch(() => undefined);
    const host = deploymentHost({
      env,
      clock: {
        now: () => world.clock.now(),
        sleep: async (ms, signal) => {
          await this.moment();
          await world.clock.advancingSleep(ms, signal);
        },
      },
      log: world.log,
    });
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
    await this.moment();
    this.requests += 1;
    await this.beforeRequest?.(this.requests, (config.method ?? "get").toUpperCase());
    const { fault } = this;
    if (config.method?.toLowerCase() !== "get") this.writes += 1;
    const count = fault?.kind === "refused" ? this.writes : this.requests;
    const strikes = !this.struck && fault && fault.kind !== "killed" && fault.at === count;
    if (strikes) this.struck = true;
    let answer: AxiosResponse<string> | undefined;
    try {
      if (strikes && fault.kind === "refused") answer = refused(config, fault.status);
      else if (strikes && fault.kind === "lost")
        answer = await lose(this.world, fault.how, config, this.http);
      else if (fault?.kind === "outage" && this.struck) answer = await this.sendInOutage(fault, config);
      else answer = await this.http(config);
      return answer;
    } finally {
      this.note(config, answer);
      await this.moment();
    }
  }

  private note(config: InternalAxiosRequestConfig, answer: AxiosResponse<string> | undefined): void {
    const { method = "get", url: path = "" } = config;
    const params = config.params as Record<string, unknown> | undefined;
    const byName = params?.["name_contains"] !== undefined;
    const request = { method: method.toUpperCase(), path, byName };
    this.shown.note(request, answer?.status, () => JSON.parse(answer?.data ?? "{}"));
  }

  private async sendInOutage(
    { at, carriedOut, refused }: Extract<Fault, { kind: "outage" }>,
    config: InternalAxiosRequestConfig,
  ): Promise<AxiosResponse> {
    if (this.requests === at) {
      if (!carriedOut) await this.endPlane();
      try {
        return await (carriedOut ? lose(this.world, "reset", config, this.http) : this.http(config));
      } finally {
        if (carriedOut) await this.endPlane();
      }
    }
    this.refusals += 1;
    if (this.refusals === refused + 1) await this.endOutage();
    return this.http(config);
  }

  private async endPlane(): Promise<void> {
    this.planeEnd = this.world.stopPlane();
    await this.planeEnd;
  }

  /** Restarts the control plane if it is down. */
  async endOutage(): Promise<void> {
    const { planeEnd } = this;
    this.planeEnd = undefined;
    if (!planeEnd) return;
    // A concurrent request may arrive while the control plane is still being stopped.
    await planeEnd;
    await this.world.restartPlane();
  }

  /** Exits the process if the fault requires it at this point. Never resolves in a process that has exited. */
  private async moment(): Promise<void> {
    this.moments += 1;
    if (this.fault?.kind === "killed" && this.fault.at === this.moments) {
      this.struck = this.dead = true;
      this.finish(new Killed());
    }
    if (this.dead) await new Promise<never>(() => undefined);
  }

  private alive<Result>(work: () => Promise<Result>): Promise<Result> {
    return Promise.race([
      this.end,
      acting.run(this, async () => {
        try {
          return await work();
        } finally {
          await this.moment();
        }
      }),
    ]);
  }
}

/** Returns the error response to a request that the server does not process. */
function refused(config: InternalAxiosRequestConfig, status: number): AxiosResponse<string> {
  const headers = new AxiosHeaders({ "content-type": "application/json" });
  return { status, statusText: "", headers, config, data: '{"detail":"Not now."}', request: {} };
}
