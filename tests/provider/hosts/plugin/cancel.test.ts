import type { ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { type Clock, systemClock } from "../../../../provider/clock";
import { type KindName, kinds } from "../../../../provider/kinds";
import { SessionPool } from "../../../../provider/session/session-pool";
import { AgentWorld } from "../../agent-world";
import { cases, echo, evaluated, worldOf } from "../../deployment/rollout/evaluation-world";
import type { RecordedLog } from "../../recorded-log";
import { RecordingProxy } from "../../recording-proxy";
import { connect, initFailures, send, struct } from "./client";

/** Time within which a canceled call must end, in milliseconds. */
const maxCancelMs = 2_000;

interface Server {
  environment: NodeJS.ProcessEnv;
  log: RecordedLog;
  proxy: RecordingProxy;
  clock: Clock;
}

/** Inputs before and after a change. */
interface Program {
  inputs: object;
  change: object;
}

/**
 * Runs each operation repeatedly, cancels it during a different request each time, and returns the calls that continued
 * nevertheless.
 */
async function uncanceled(
  { environment, log, proxy, clock }: Server,
  kind: KindName,
  { inputs, change }: Program,
): Promise<string[]> {
  const type = kind === "provider" ? "Deployment" : kind[0]!.toUpperCase() + kind.slice(1);
  const urn = `urn:pulumi:dev::shop::agentserver:index:${type}::${kind}`;
  const start = () => {
    const env = { ...environment, AGENTSERVER_BASE_URL: proxy.baseUrl };
    const sessions = new SessionPool({ env, clock, random: () => 0.5 });
    return connect({ kindOf: () => kinds[kind](env), sessions, log, schema: () => "{}" });
  };
  const first = await start();
  const checked = async (news: object, olds: Struct) => {
    const request = new messages.CheckRequest().setUrn(urn).setOlds(olds).setNews(struct(news));
    const response = await send(first, "check", request);
    expect(response.getFailuresList()).toEqual([]);
    return response.getInputs()!;
  };
  const olds = await checked(inputs, struct({}));
  const news = await checked(change, olds);
  const created = await send(first, "create", new messages.CreateRequest().setUrn(urn).setProperties(olds));
  const [id, state] = [created.getId(), created.getProperties()!];
  const calls: Record<string, (client: ResourceProviderClient) => Promise<unknown>> = {
    read: (client) =>
      send(client, "read", new messages.ReadRequest().setUrn(urn).setId(id).setProperties(state)),
    update: (client) =>
      send(client, "update", new messages.UpdateRequest().setUrn(urn).setId(id).setOlds(state).setNews(news)),
    delete: (client) =>
      send(client, "delete", new messages.DeleteRequest().setUrn(urn).setId(id).setProperties(state)),
    create: (client) => send(client, "create", new messages.CreateRequest().setUrn(urn).setProperties(olds)),
  };
  const found: string[] = [];
  for (const [name, call] of Object.entries(calls))
    for (let number = 1; ; number += 1) {
      const client = await start();
      const arrived = proxy.hold(number);
      const ended = call(client).then(
        () => "succeeded",
        (error: unknown) =>
          [
            (error as ServiceError).details,
            ...initFailures(error as ServiceError).flatMap((one) => one.getReasonsList()),
          ].join(),
      );
      const result = await Promise.race([arrived.then(() => undefined), ended]);
      if (result !== undefined) {
        if (result !== "succeeded") found.push(`${name} failed: ${result}`);
        // At least one request was held.
        expect(number).toBeGreaterThan(1);
        await proxy.release();
        break;
      }
      const { method, path } = proxy.take().at(-1)!;
      const at = Date.now();
      await send(client, "cancel", new Empty());
      const text = await ended;
      const ms = Date.now() - at;
      // An operation whose result does not depend on the held request still succeeds.
      const isEnded = text === "succeeded" || text.includes("run the same command again to resume it");
      if (ms > maxCancelMs || !isEnded)
        found.push(`${name}, request ${number}, ${method} ${path}: ${text} after ${ms} ms`);
    }
  return found;
}

describe("a canceled call", () => {
  let world: AgentWorld;
  let proxy: RecordingProxy;
  beforeAll(async () => {
    world = await AgentWorld.start();
    proxy = await RecordingProxy.start(world.plane.baseUrl);
  });

  const item = { namespace: ["notes", "ada"], key: "tone" };
  const cron = { assistant: "agent", schedule: "0 9 1 1 *", input: { messages: [] } };
  const run = { assistant: "agent", input: { messages: [{ role: "user", content: "hi" }] } };

  test.each<[Exclude<KindName, "provider" | "listener">, Program]>([
    ["assistant", { inputs: { graph: "agent", name: "Brief" }, change: { graph: "agent", name: "Long" } }],
    ["cron", { inputs: cron, change: { ...cron, schedule: "0 8 1 1 *" } }],
    [
      "thread",
      {
        inputs: { graph: "agent", metadata: { team: "support" } },
        change: { graph: "agent", metadata: { team: "sales" } },
      },
    ],
    [
      "storeItem",
      { inputs: { ...item, value: { style: "brief" } }, change: { ...item, value: { style: "long" } } },
    ],
    [
      "storeItems",
      {
        inputs: { namespace: ["handbook"], items: { one: { of: 1 } } },
        change: { namespace: ["handbook"], items: { two: { of: 2 } } },
      },
    ],
    ["run", { inputs: { ...run, triggers: [1] }, change: { ...run, triggers: [2] } }],
  ])("ends during any request: %s", async (kind, { inputs, change }) => {
    const { id, url } = world.deployment.deployment;
    const deployment = { id, url: proxy.proxied(url) };
    const server = { environment: world.environment, log: world.log, proxy, clock: systemClock };
    const program = { inputs: { deployment, ...inputs }, change: { deployment, ...change } };
    expect(await uncanceled(server, kind, program)).toEqual([]);
  });

  test("ends during any request: deployment with a smoke run and an evaluation", async () => {
    const { world: plane } = await worldOf(echo);
    const evaluation = { cases: cases("a", "b"), concurrency: 1 };
    const inputs = (ref: string) => {
      const { rollout, ...others } = evaluated(evaluation, ref);
      return { ...others, rollout: { verify: { ...rollout!.verify, run: { input: { q: "smoke" } } } } };
    };
    const server = {
      environment: { ...plane.environment, AGENTSERVER_OFFLINE: "true" },
      log: plane.log,
      proxy: await RecordingProxy.start(plane.plane.baseUrl),
      clock: plane.time,
    };
    expect(await uncanceled(server, "provider", { inputs: inputs("1"), change: inputs("2") })).toEqual([]);
  });
});
