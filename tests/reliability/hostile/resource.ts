import { deploymentHost } from "../../provider/deployment-host";
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../provider/clock";
import type { Props } from "../../../provider/resource/inputs/values";
import { agent, canary } from "../../provider/world";
import { RecordedLog } from "../../provider/recorded-log";
import type { Provider } from "../../provider/stack";
import type { Endpoint, HostileServer } from "./server";

/** Maximum length of an error, a reason, or a log line, in characters. */
const longestText = 17_000;

type Failure = Error & { id?: string; reasons?: string[]; properties?: Props };

/** A call of the engine. */
export type Call = "create" | "update" | "read" | "delete";

/** Endpoints that each call sends requests to. */
const endpoints: Record<Call, Endpoint[]> = {
  create: ["description", "list", "create", "read", "revision"],
  update: ["read", "patch", "revision"],
  read: ["read", "revision"],
  delete: ["read", "delete"],
};
export const callsAndEndpoints = (Object.keys(endpoints) as Call[]).flatMap((call) =>
  endpoints[call].map((endpoint) => [call, endpoint] as const),
);

/** Result of an engine call. */
export interface End {
  failure?: Failure;
  id?: string;
}

/** A deployment of a stack on a hostile server, in virtual time that advances while the provider sleeps. */
export class HostileResource {
  readonly log = new RecordedLog();
  readonly host: Provider;
  private now = Date.UTC(2026, 0, 1);

  constructor(
    readonly server: HostileServer,
    options: { env?: NodeJS.ProcessEnv; answerTimeoutMs?: number } = {},
  ) {
    this.host = deploymentHost({
      env: {
        AGENTSERVER_BASE_URL: `http://127.0.0.1:${server.port}`,
        AGENTSERVER_API_KEY: `${canary}-key`,
        AGENTSERVER_TENANT_ID: "tenant-1",
        ...options.env,
      },
      clock: this.clock,
      log: this.log,
      answerTimeoutMs: options.answerTimeoutMs ?? 2_000,
    });
  }

  private get clock(): Clock {
    return {
      now: () => this.now,
      sleep: async (ms) => {
        this.now += ms;
        await setImmediate();
      },
    };
  }

  get inputs(): Props {
    return {
      ...agent({ rollout: { timeout: "1m" } }),
      __provider: "p",
      __call: { urn: "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::a" },
      ownerId: "owner-1",
    };
  }

  get state(): Props {
    const controlPlane = { baseUrl: this.baseUrl, tenantId: "tenant-1", dialect: "interface" };
    return {
      ...this.inputs,
      latestRevisionId: "r1",
      settledRevision: { id: "r1", status: "DEPLOYED", createdAt: "", settledAt: "" },
      controlPlane,
      schemaVersion: 1,
    };
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.server.port}/api-host`;
  }

  check(): Promise<{ failures?: { reason: string }[] }> {
    return this.host.check({}, this.inputs);
  }

  create(): Promise<End> {
    return this.ends(async () => (await this.host.create(this.inputs)).id);
  }

  update(): Promise<End> {
    const news = {
      ...this.inputs,
      sourceRevisionConfig: { repoRef: "v2", graphConfigPath: "langgraph.json" },
    };
    return this.ends(async () => void (await this.host.update("d1", this.state, news)));
  }

  read(): Promise<End> {
    return this.ends(async () => (await this.host.read("d1", this.state)).id);
  }

  delete(): Promise<End> {
    return this.ends(() => this.host.delete("d1", this.state).then(() => undefined));
  }

  /** Checks that the engine receives an error whose message has a limited length and contains no control characters. */
  private async ends(call: () => Promise<string | undefined>): Promise<End> {
    let end: End;
    try {
      end = { id: await call() };
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(Error);
      const failure = thrown as Failure;
      end = { failure, id: failure.id };
      for (const text of [failure.message, failure.stack, String(failure), ...(failure.reasons ?? [])])
        expectFit(text);
      if (failure.id) expect(failure.properties).toHaveProperty("__provider");
    }
    for (const { message } of this.log.said) expectFit(message);
    return end;
  }
}

export function expectFit(text: unknown): void {
  expect(typeof text).toBe("string");
  expect((text as string).trim()).not.toBe("");
  expect((text as string).length).toBeLessThan(longestText);
  expect(text).not.toMatch(/[^\P{Cc}\n\t]|\u202e/u);
  expect(text).not.toContain(canary);
}
