import { status, type ServiceError } from "@grpc/grpc-js";
import * as pulumi from "@pulumi/pulumi";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { unknownValue } from "@pulumi/pulumi/runtime";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { systemClock } from "../../../../provider/clock";
import { asSecret } from "../../../../provider/engine/sentinels";
import { type FunctionName, functionShapes, secretResults } from "../../../../provider/lookup/functions";
import type { Props } from "../../../../provider/resource/inputs/values";
import { SessionPool } from "../../../../provider/session/session-pool";
import * as sdk from "../../../../sdk";
import { valueOf, withoutEngine } from "../../../sdk/program";
import { AgentWorld } from "../../agent-world";
import { RecordedLog } from "../../recorded-log";
import type { Stack } from "../../stack";
import { agent, agentAt, canary, World } from "../../world";
import type { DeploymentRecord, RevisionRecord } from "../../../../wire";
import { connect, propsIn, send, struct } from "./client";

let agents: AgentWorld;
let world: World;
let log: RecordedLog;

beforeAll(async () => {
  agents = await AgentWorld.start();
});
beforeEach(async () => {
  world = await World.start({ dialect: "langsmith" });
  log = new RecordedLog();
});

/** Returns a client for a provider in this environment. */
function start(env: NodeJS.ProcessEnv = world.environment): Promise<ResourceProviderClient> {
  return connect({
    kindOf: () => undefined,
    sessions: new SessionPool({ env, clock: systemClock, random: () => 0.5 }),
    log,
    schema: () => "{}",
  });
}

function settingsOf({ plane }: World | AgentWorld): Record<"baseUrl" | "apiKey" | "tenantId", string> {
  const { baseUrl, apiKey, tenantId } = plane;
  return { baseUrl, apiKey, tenantId };
}

function configure(client: ResourceProviderClient, settings: object, urn = ""): Promise<unknown> {
  return send(client, "configure", new messages.ConfigureRequest().setUrn(urn).setArgs(struct(settings)));
}

function invoke(client: ResourceProviderClient, name: string, args: object, preview = false) {
  const request = new messages.InvokeRequest().setTok(`agentserver:index:${name}`).setArgs(struct(args));
  return send(client, "invoke", request.setPreview(preview));
}

/** Returns the result of a function. */
async function resultOf(...call: Parameters<typeof invoke>): Promise<Props> {
  const response = await invoke(...call);
  expect(response.getFailuresList()).toEqual([]);
  return propsIn(response.getReturn());
}

/** Calls a function of the Node.js SDK, and returns the result in the format of the provider. */
async function nodeResult(name: FunctionName, args: Props): Promise<Props> {
  const run = sdk[name] as (args: unknown) => Promise<unknown>;
  const result = await run(name === "getRevisions" ? args["deploymentId"] : args);
  if (Array.isArray(result)) return { [Object.keys(functionShapes[name].outputs.shape)[0]!]: result };
  if (pulumi.Output.isInstance(result)) return (await valueOf(result)) as Props;
  const { token, ...others } = result as Props;
  return token === undefined ? others : { token: await valueOf(token as pulumi.Output<string>) };
}

/**
 * Returns the verified artifacts of a deployment that is serving this commit, in the format that a Python program
 * exports.
 */
function verifiedIn(artifact: string): Props {
  const verification = { ok: true, run: false };
  const entry = {
    source: "github",
    artifact,
    revision_id: "r",
    verified_at: "2026-01-05T10:00:00Z",
    verification,
  };
  return { current: entry, history: [entry] };
}

interface Case {
  /** World in which the function is called. Defaults to that of the test. */
  on?: AgentWorld;
  args: Props;
  expected: Props;
}

/** Creates the objects that each function finds. */
const cases: Record<FunctionName, () => Promise<Case>> = {
  authenticate: async () => {
    const request = { provider: "github", scopes: ["repo"], user_id: "ada" };
    const authenticate = () =>
      world.request("POST", "/v2/auth/authenticate", request) as Promise<Record<"url" | "token", string>>;
    await fetch((await authenticate()).url);
    const { token } = await authenticate();
    return { args: { provider: "github", scopes: ["repo"], userId: "ada" }, expected: { token } };
  },
  getAssistant: async () => {
    const body = { graph_id: "agent", name: "Brief", context: { style: "brief" }, metadata: { of: "get" } };
    const { assistant_id: assistantId } = await agents.ask<{ assistant_id: string }>(
      "POST",
      "/assistants",
      body,
    );
    return {
      on: agents,
      args: { ...agents.deployment, name: "Brief" },
      expected: {
        assistantId,
        graph: "agent",
        name: "Brief",
        config: { configurable: { style: "brief" } },
        context: { style: "brief" },
        metadata: { of: "get" },
        version: 1,
      },
    };
  },
  getAssistants: async () => {
    const create = (name: string) =>
      agents.ask<{ assistant_id: string }>("POST", "/assistants", {
        graph_id: "agent",
        name,
        metadata: { of: "list" },
      });
    const [first, , second] = [await create("Long 1"), await create("Other"), await create("Long 2")];
    const found = { graph: "agent", config: {}, context: {}, metadata: { of: "list" }, version: 1 };
    return {
      on: agents,
      args: { ...agents.deployment, filters: { nameContains: "Long", metadata: { of: "list" } } },
      expected: {
        assistants: [
          { ...found, assistantId: first.assistant_id, name: "Long 1" },
          { ...found, assistantId: second.assistant_id, name: "Long 2" },
        ],
      },
    };
  },
  getDeployment: async () => {
    const stack = await world.deployed();
    return { args: { name: "support-agent" }, expected: await deployed(stack) };
  },
  getDeployments: async () => {
    const stack = await world.deployed();
    await world.deployed(agent({ name: "other" }));
    return {
      args: { filters: { nameContains: "support", status: "READY" } },
      expected: { deployments: [await deployed(stack)] },
    };
  },
  getDeploymentLogs: async () => {
    const { deploymentId, state } = await world.deployed();
    const path = `/v2/deployments/${deploymentId}/revisions/${state.latestRevisionId}/logs`;
    const logs = [
      { message: `second ${canary}-model`, timestamp: 1_767_225_600_000, level: "INFO" },
      { message: "first" },
    ];
    world.admin.fault({ kind: "status", status: 200, body: { logs }, path, times: 2 });
    return {
      args: { deploymentId, type: "build", limit: 2 },
      expected: {
        revisionId: state.latestRevisionId,
        lines: [
          { message: "first" },
          { message: "second [secret]", timestamp: "2026-01-01T00:00:00.000Z", level: "INFO" },
        ],
      },
    };
  },
  getIntegration: async () => {
    const repositories = [{ name: "agents", url: "https://git.example.com/acme/agents.git" }];
    world.admin.seedIntegration({ name: "other", repositories: [] });
    const id = world.admin.seedIntegration({ name: "acme", repositories });
    return {
      args: { repoUrl: "git@git.example.com:acme/agents" },
      expected: { id, name: "acme", defaultBranch: "main" },
    };
  },
  getListeners: async () => {
    world.admin.setSelfHostedEnterprise(true);
    const body = { compute_type: "k8s", compute_id: "blue", compute_config: { k8s_namespaces: ["a", "b"] } };
    const { id } = (await world.request("POST", "/v2/listeners", body)) as { id: string };
    return { args: {}, expected: { listeners: [{ id, computeId: "blue", namespaces: ["a", "b"] }] } };
  },
  getRevisions: async () => {
    const stack = await world.deployed();
    const first = stack.state.latestRevisionId;
    await stack.up(agentAt("v2"));
    const second = stack.state.latestRevisionId;
    const record = (id: string) =>
      world.request(
        "GET",
        `/v2/deployments/${stack.deploymentId}/revisions/${id}`,
      ) as Promise<RevisionRecord>;
    const expected = async (id: string) => {
      const {
        created_at: createdAt,
        updated_at: updatedAt,
        source_revision_config: source,
      } = await record(id);
      const { repo_ref: repoRef, repo_commit_sha: commit, image_uri: imageUri } = source!;
      return {
        id,
        status: "DEPLOYED",
        createdAt,
        updatedAt,
        repoRef,
        commit,
        imageUri,
        graphConfigPath: "langgraph.json",
      };
    };
    return {
      args: { deploymentId: stack.deploymentId },
      expected: { revisions: [await expected(second), await expected(first)] },
    };
  },
  getStoreItem: async () => {
    const item = { namespace: ["a", "b"], key: "k.1", value: { deep: { x: [1, null, "two"] } } };
    await agents.ask("PUT", "/store/items", item);
    const { namespace, key } = item;
    return { on: agents, args: { ...agents.deployment, namespace, key }, expected: item };
  },
  promote: async () => {
    await world.deployed(agentAt("1".repeat(40)));
    const artifact = "2".repeat(40);
    return {
      args: { from: verifiedIn(artifact), to: { name: "support-agent" }, gate: { approved: "2222222" } },
      expected: { source: "github", artifact, sourceRevisionConfig: { repoRef: artifact } },
    };
  },
  searchThreads: async () => {
    const create = (at: number) =>
      agents.ask<Record<"thread_id" | "created_at" | "updated_at", string>>("POST", "/threads", {
        metadata: { of: "search", at },
      });
    await create(0);
    const expected = [];
    for (const at of [1, 2]) {
      const { thread_id: threadId, created_at: createdAt, updated_at: updatedAt } = await create(at);
      expected.push({ threadId, status: "idle", metadata: { of: "search", at }, createdAt, updatedAt });
    }
    return {
      on: agents,
      args: { ...agents.deployment, filters: { metadata: { of: "search" }, status: "idle" }, limit: 2 },
      expected: { threads: expected.toReversed() },
    };
  },
};

async function deployed(stack: Stack): Promise<Props> {
  const { url, latestRevisionId } = stack.state;
  const { source_revision_config: source } = (await world.record(stack)) as DeploymentRecord;
  return {
    id: stack.deploymentId,
    name: "support-agent",
    source: "github",
    status: "READY",
    url,
    latestRevisionId,
    activeRevisionId: latestRevisionId,
    repoUrl: "https://git.example.com/agents.git",
    repoRef: source!.repo_ref,
    imageUri: source!.image_uri,
    graphConfigPath: "langgraph.json",
    secretNames: ["MODEL_KEY"],
  };
}

test.each(Object.keys(cases) as FunctionName[])(
  "returns the same result for %s as the Node.js SDK",
  async (name) => {
    const { on = world, args, expected } = await cases[name]();
    const client = await start({});
    await configure(client, settingsOf(on));
    const secret = secretResults[name];
    const marked = secret === undefined ? expected : { ...expected, [secret]: asSecret(expected[secret]) };
    expect(await resultOf(client, name, args)).toEqual(marked);

    await withoutEngine();
    const config = Object.entries(settingsOf(on)).map(([key, value]) => [`agentserver:${key}`, value]);
    pulumi.runtime.setAllConfig(Object.fromEntries(config) as Record<string, string>);
    expect(await nodeResult(name, args)).toEqual(expected);
  },
);

const server = { connection: { url: "http://127.0.0.1:1" } };

test.each<[FunctionName, object, string]>([
  ["authenticate", { provider: "github", scopes: ["repo"], timeout: canary }, 'timeout: must be "0s"'],
  ["authenticate", { provider: " ", scopes: ["repo"] }, "provider: must not be empty"],
  ["getAssistant", server, "requires exactly one of the following: an assistantId or a name"],
  ["getAssistant", { name: canary }, "deployment: is required"],
  [
    "getAssistants",
    { ...server, deployment: { id: canary, url: canary } },
    "connection: cannot be combined with deployment",
  ],
  ["getDeployment", {}, "requires exactly one of the following: an ID, a name, or an agent"],
  [
    "getDeployment",
    { name: "a", connection: { baseUrl: "http://127.0.0.1:1", apiKeyFrom: "KEY" } },
    'connection.tenantId: is required, unless the dialect is "langsmith"',
  ],
  ["getDeployment", { names: canary }, "names: is not a field; did you mean name?"],
  ["getDeployment", { [`${canary}-key`]: 1 }, "[secret]: is not a field"],
  ["getDeploymentLogs", { deploymentId: canary, limit: 0 }, "limit: must be a positive integer"],
  [
    "getDeploymentLogs",
    { deploymentId: canary, type: canary },
    'type: invalid option: expected one of "build"',
  ],
  [
    "getDeployments",
    { filters: { name: canary } },
    "filters.name: is not a field; the fields are nameContains, status",
  ],
  ["getRevisions", {}, "deploymentId: is required"],
  ["getStoreItem", { ...server, namespace: [`${canary}.b`], key: "k" }, "namespace: must have at least one"],
  ["promote", { from: canary, to: { name: "a" } }, "from: must be the `verified` output of a deployment"],
  ["promote", { to: { name: "a" }, gate: { soak: canary } }, "gate.soak: must be a positive duration"],
  ["searchThreads", { ...server, limit: 1.5 }, "limit: must be a positive integer"],
])("rejects a call to %s with %j without sending a request", async (name, args, text) => {
  const response = await invoke(await start(), name, args);
  const failures = response.getFailuresList().map((one) => one.toObject());
  expect(failures).toContainEqual({ property: "", reason: expect.stringContaining(text) });
  expect(JSON.stringify(failures)).not.toContain(canary);
  expect(world.admin.journal()).toEqual([]);
});

test("accepts Python names in dictionaries, which the Python SDK does not convert", async () => {
  const { deploymentId: id } = await world.deployed();
  const { baseUrl, tenantId } = world.plane;
  const connection = { base_url: baseUrl, tenant_id: tenantId, api_key_from: "OTHER_KEY" };
  const client = await start({ ...world.environment, OTHER_KEY: world.plane.apiKey });
  const args = { filters: { name_contains: "support" }, connection };
  expect(await resultOf(client, "getDeployments", args)).toMatchObject({ deployments: [{ id }] });
  const gate = { approved_from: "approved", window: { from: "09:00", to: "17:00", time_zone: "Mars" } };
  const response = await invoke(client, "promote", {
    from: verifiedIn("1".repeat(40)),
    to: { name: "a" },
    gate,
  });
  expect(response.getFailuresList().map((one) => one.getReason())).toEqual([
    'gate.window.timeZone: must be an IANA time zone such as "Europe/Berlin"',
  ]);
});

test("keeps the keys of free-form maps, and rejects a key that is specified twice", async () => {
  const metadata = { nested_key: "a" };
  await agents.ask("POST", "/assistants", { graph_id: "agent", name: "Free", metadata });
  const client = await start({});
  await configure(client, settingsOf(agents));
  const found = await resultOf(client, "getAssistants", { ...agents.deployment, filters: { metadata } });
  expect(found).toMatchObject({ assistants: [{ name: "Free", metadata }] });
  const twice = { filters: { name_contains: "a", nameContains: "b" } };
  const [failure] = (await invoke(client, "getDeployments", twice)).getFailuresList();
  expect(failure!.getReason()).toMatch(/^filters.name_contains: is not a field/);
});

test("names an unknown function in the error", async () => {
  await expect(invoke(await start(), "getToaster", {})).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
    details: "The provider has no function agentserver:index:getToaster.",
  });
});

test("returns an empty result without a request if an argument is unknown", async () => {
  const args = { filters: { nameContains: unknownValue } };
  expect(await resultOf(await start(), "getDeployments", args, true)).toEqual({});
  expect(world.admin.journal()).toEqual([]);
});

test("reads an approval from the provider's configuration, or names the waiting artifact", async () => {
  const client = await start();
  const artifact = "2".repeat(40);
  const args = { from: verifiedIn(artifact), to: { name: "none" }, gate: { approvedFrom: "approved" } };
  await expect(invoke(client, "promote", args)).rejects.toThrow(
    `Nothing can be promoted: none does not exist yet; 2222222 has been verified in the previous environment since 2026-01-05 10:00 UTC and is waiting for approval: run \`pulumi config set agentserver:approved ${artifact}\`.`,
  );
  const urn = "urn:pulumi:prod::shop::pulumi:providers:agentserver::default_1_2_3";
  await configure(client, { ...settingsOf(world), organization: "acme" }, urn);
  await expect(invoke(client, "promote", args)).rejects.toThrow(
    `run \`pulumi config set --stack acme/prod agentserver:approved ${artifact}\`.`,
  );
  await configure(client, { ...settingsOf(world), approved: "2222222" }, urn);
  expect(await resultOf(client, "promote", args)).toMatchObject({ artifact });
});

test("hides the artifacts if another stack exports `verified` as a secret", async () => {
  const client = await start();
  const deployed = "1".repeat(40);
  await world.deployed(agentAt(deployed));
  const from = asSecret(verifiedIn("2".repeat(40)));
  const args = { from, to: { name: "support-agent" }, gate: { approved: "" } };
  const { artifact, waiting } = await resultOf(client, "promote", args);
  expect(artifact).toEqual(asSecret(deployed));
  expect(waiting).toEqual(asSecret(expect.stringContaining("waiting for approval")));
  expect(log.kept).toContain("waiting for approval");
  expect(log.kept).not.toContain("1111111");
  expect(log.kept).not.toContain("2222222");
});

test("hides secrets of the provider's configuration in messages about checks", async () => {
  const client = await start();
  await configure(client, { ...settingsOf(world), token: asSecret("hush-hush") });
  const program = "console.log('sent hush-hush'); process.exit(1)";
  const gate = { checks: [{ command: [process.execPath, "-e", program] }] };
  const args = { from: verifiedIn("2".repeat(40)), to: { name: "none" }, gate };
  await expect(invoke(client, "promote", args)).rejects.toThrow("sent [secret]");
  expect(log.kept).toContain("sent [secret]");
  expect(log.kept).not.toContain("hush-hush");
});

test("fails with the reason if nothing is found", async () => {
  await expect(invoke(await start(), "getDeployment", { name: "none" })).rejects.toMatchObject({
    code: status.UNKNOWN,
    details: expect.stringContaining('The control plane has no deployment named "none" in this workspace.'),
  });
});

test("marks each field of a result as secret if an argument is secret", async () => {
  const item = { namespace: ["secret"], key: `${canary}-item`, value: { found: true } };
  await agents.ask("PUT", "/store/items", item);
  const client = await start({});
  await configure(client, settingsOf(agents));
  const args = { ...agents.deployment, namespace: ["secret"], key: asSecret(item.key) };
  expect(await resultOf(client, "getStoreItem", args)).toEqual({
    namespace: asSecret(["secret"]),
    key: asSecret(item.key),
    value: asSecret({ found: true }),
  });
});

test("does not reveal a secret argument in an error", async () => {
  const failure = invoke(await start(), "getDeployment", { name: asSecret("hush-hush") });
  await expect(failure).rejects.toThrow('no deployment named "[secret]"');
  await expect(failure).rejects.not.toThrow("hush");
});

test("does not reveal the API key if the server returns it and the response is shortened", async () => {
  // The message of the server is truncated to 1,000 characters.
  const body = { detail: `not with ${world.plane.apiKey} ${".".repeat(962)} ${world.plane.apiKey}` };
  world.admin.fault({ kind: "status", status: 400, body, times: 9 });
  const failure = invoke(await start(), "getListeners", {});
  await expect(failure).rejects.toThrow("not with [secret]");
  await expect(failure).rejects.not.toThrow(canary);
});

test("reads the key of an agent server from the environment", async () => {
  const client = await start({ AGENT_KEY: agents.plane.apiKey, WRONG_KEY: `${canary}-wrong` });
  const at = (apiKeyFrom: string) => ({ connection: { url: agents.url, apiKeyFrom } });
  const filters = { nameContains: "agent" };
  expect(await resultOf(client, "getAssistants", { ...at("AGENT_KEY"), filters })).toMatchObject({
    assistants: [{ name: "agent" }],
  });
  await expect(invoke(client, "getAssistants", at("WRONG_KEY"))).rejects.toThrow(/401|403/);
  await expect(invoke(client, "getAssistants", at("NO_KEY"))).rejects.toThrow("is NO_KEY");
});

test("prefers the settings of each provider to the environment", async () => {
  const other = await World.start({ dialect: "langsmith" });
  const [here, there] = [await world.deployed(), await other.deployed()];
  const [unconfigured, configured] = [await start(), await start()];
  await configure(configured, settingsOf(other));
  const wanted = { name: "support-agent" };
  expect(await resultOf(unconfigured, "getDeployment", wanted)).toMatchObject({ id: here.deploymentId });
  expect(await resultOf(configured, "getDeployment", wanted)).toMatchObject({ id: there.deploymentId });
  await configure(configured, settingsOf(world));
  expect(await resultOf(configured, "getDeployment", wanted)).toMatchObject({ id: here.deploymentId });
});

test("verifies the active source of a deployment on another control plane", async () => {
  const { baseUrl, apiKey, tenantId } = agents.plane;
  const client = await start({ ...world.environment, OTHER_KEY: apiKey });
  const { id } = agents.deployment.deployment;
  const look = (verify: object) =>
    resultOf(client, "getDeployment", {
      id,
      connection: { baseUrl, tenantId, apiKeyFrom: "OTHER_KEY" },
      verify,
    });
  const found = await look({ graph: "agent" });
  const current = (found["verified"] as Props)["current"] as Props;
  expect(current).toMatchObject({
    revisionId: found["activeRevisionId"],
    verification: { ok: true, graph: "agent" },
  });
  expect(log.said).toEqual([]);
  expect(await look({ graph: "other" })).toMatchObject({ verified: { history: [] } });
  expect(log.lines("warning")).toEqual([
    expect.stringMatching(/is not verified: its agent server has no assistant for the graph "other"\.$/),
  ]);
  expect(world.admin.journal()).toEqual([]);
});

const consent = { provider: "github", scopes: ["repo"], userId: "ada" };

test("reports the consent URL in a preview, without returning a token or waiting", async () => {
  expect(await resultOf(await start(), "authenticate", consent, true)).toEqual({});
  expect(log.said).toEqual([
    {
      urn: "",
      severity: "warning",
      message: expect.stringMatching(
        /^The provider "github" requires the consent of ada: visit http\S+; `pulumi up` waits for consent\.$/,
      ),
    },
  ]);
  expect(world.admin.journal().map(({ path }) => path)).toEqual([
    expect.stringMatching(/\/v2\/auth\/authenticate$/),
  ]);
});

test("stops waiting for consent when the call is canceled", async () => {
  const client = await start();
  const waiting = invoke(client, "authenticate", consent).catch((error: unknown) => error as ServiceError);
  const giveUp = AbortSignal.timeout(60_000);
  while (!world.admin.journal().some(({ path }) => path.includes("/v2/auth/authenticate"))) {
    giveUp.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await send(client, "cancel", new Empty());
  expect(await waiting).toMatchObject({
    code: status.UNKNOWN,
    details: expect.stringContaining("the operation was canceled"),
  });
  expect(log.lines("warning")).toHaveLength(1);
});
