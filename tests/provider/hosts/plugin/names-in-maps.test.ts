import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { unknownValue } from "@pulumi/pulumi/runtime";
import { readJson } from "../../../json";
import { asSecret } from "../../../../provider/engine/sentinels";
import { type KindName, kinds } from "../../../../provider/kinds";
import type { Props } from "../../../../provider/resource/inputs/values";
import { SessionPool } from "../../../../provider/session/session-pool";
import { AgentWorld } from "../../agent-world";
import { agent } from "../../world";
import { connect, propsIn, send, struct } from "./client";

const { sourceConfig, ...declared } = agent();
const item = { namespace: ["notes"], key: "tone" };

/**
 * Maps whose keys the program chooses: the kind, the path of the map, and a function that returns inputs with a map.
 */
const maps: [KindName, string, (map: object) => object][] = [
  ["provider", "secrets", (map) => ({ ...declared, sourceConfig, secrets: map })],
  [
    "provider",
    "sourceConfig.resourceSpec.labels",
    (map) => ({ ...declared, sourceConfig: { ...sourceConfig, resourceSpec: { labels: map } } }),
  ],
  ["assistant", "metadata", (map) => ({ graph: "agent", metadata: map })],
  ["assistant", "config.configurable", (map) => ({ graph: "agent", config: { configurable: map } })],
  ["assistant", "context", (map) => ({ graph: "agent", context: map })],
  ["cron", "input", (map) => ({ assistant: "agent", schedule: "0 9 * * *", input: map })],
  ["cron", "metadata", (map) => ({ assistant: "agent", schedule: "0 9 * * *", input: {}, metadata: map })],
  ["thread", "metadata", (map) => ({ graph: "agent", metadata: map })],
  ["run", "input", (map) => ({ assistant: "agent", input: map })],
  ["storeItem", "value", (map) => ({ ...item, value: map })],
  ["storeItems", "items.tone", (map) => ({ namespace: ["notes"], items: { tone: map } })],
  ["storeItems", "items", (map) => ({ namespace: ["notes"], items: map })],
];

let agents: AgentWorld;
beforeAll(async () => {
  agents = await AgentWorld.start();
});

function start(kind: KindName): Promise<ResourceProviderClient> {
  return connect({
    kindOf: () => kinds[kind]({}),
    sessions: new SessionPool({ env: agents.environment, clock: agents.time, random: () => 0.5 }),
    log: agents.log,
    schema: () => "{}",
  });
}

function urnOf(kind: KindName): string {
  const name = kind === "provider" ? "deployment" : kind;
  return `urn:pulumi:dev::shop::agentserver:index:${name[0]!.toUpperCase()}${name.slice(1)}::it`;
}

async function check(client: ResourceProviderClient, kind: KindName, inputs: object) {
  const { deployment } = agents.deployment;
  const news = struct({ ...(kind !== "provider" && { deployment }), ...inputs });
  const request = new messages.CheckRequest().setUrn(urnOf(kind)).setOlds(struct({})).setNews(news);
  const response = await send(client, "check", request);
  return { response, reasons: response.getFailuresList().map((one) => one.getReason()) };
}

/** Returns a value for the map. Some maps require strings, and others require objects. */
function valueFor(path: string): unknown {
  return path === "items" ? { days: 30 } : "x";
}

describe.each(maps)("a map in the inputs of a resource (%s: %s)", (kind, path, inputsWith) => {
  const named = (name: string, value: unknown) => readJson<Props>(JSON.stringify({ [name]: value }));

  test.each(["a plain", "a secret", "an unknown"])(
    "rejects __proto__ as a name of %s value",
    async (type) => {
      const plain = valueFor(path);
      const value = type === "a secret" ? asSecret(plain) : type === "an unknown" ? unknownValue : plain;
      const map = Object.fromEntries([["__proto__", value]]);
      const { reasons } = await check(await start(kind), kind, inputsWith(map));
      // The names of secret items may be secret, too.
      const isRedacted = kind === "storeItems" && type === "a secret";
      const shown = isRedacted ? expect.stringMatching(/^items\.\[secret\]/) : `${path}.__proto__`;
      expect(reasons.map((one) => one.split(": "))).toEqual([
        [shown, "cannot be passed to the provider; use another name"],
      ]);
    },
  );

  test("keeps names of properties that all objects inherit", async () => {
    const client = await start(kind);
    const names = ["constructor", "toString", "hasOwnProperty"];
    const map = Object.assign({}, ...names.map((name) => named(name, valueFor(path)))) as Props;
    const { response, reasons } = await check(client, kind, inputsWith(map));
    expect(reasons).toEqual([]);
    const inputs = response.getInputs()!;
    const sent = path.split(".").reduce((part, key) => part[key] as Props, propsIn(inputs));
    expect(Object.keys(sent).sort()).toEqual([...names].sort());
    const request = new messages.CreateRequest().setUrn(urnOf(kind)).setProperties(inputs).setPreview(true);
    const planned = propsIn((await send(client, "create", request)).getProperties());
    expect(path.split(".").reduce((part, key) => part[key] as Props, planned)).toEqual(sent);
  });
});

test("rejects __proto__ in the arguments of a function", async () => {
  const client = await start("provider");
  const args = struct({ ...agents.deployment, metadata: readJson('{"__proto__": "x"}') });
  const request = new messages.InvokeRequest().setTok("agentserver:index:searchThreads").setArgs(args);
  const failures = (await send(client, "invoke", request)).getFailuresList();
  expect(failures.map((one) => one.getReason())).toContain(
    "metadata.__proto__: cannot be passed to the provider; use another name",
  );
});

test("imports an object with a __proto__ field in the server's record", async () => {
  const metadata = readJson<Props>('{"__proto__": {"polluted": true}, "team": "support"}');
  const { thread_id } = await agents.ask<{ thread_id: string }>("POST", "/threads", { metadata });
  const client = await start("thread");
  const id = `${agents.deployment.deployment.id}/${thread_id}`;
  const request = new messages.ReadRequest().setUrn(urnOf("thread")).setId(id);
  const found = await send(client, "read", request);
  expect(found.getId()).toBe(thread_id);
  const props = found.getProperties()!;
  expect(propsIn(props)["metadata"]).toMatchObject({ team: "support" });
  const diff = new messages.DiffRequest().setUrn(urnOf("thread")).setId(found.getId()).setOlds(props);
  const news = await check(client, "thread", { graph: "agent", metadata: { team: "support" } });
  const changes = await send(client, "diff", diff.setNews(news.response.getInputs()));
  expect([...changes.getDetaileddiffMap().keys()]).not.toContain("metadata.polluted");
});
