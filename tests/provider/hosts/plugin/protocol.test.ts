import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { status, type ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { unknownValue } from "@pulumi/pulumi/runtime";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { systemClock as planeClock } from "../../../../emulator/index";
import { type Clock, systemClock } from "../../../../provider/clock";
import { deploymentKind } from "../../../../provider/deployment/kind";
import { asSecret } from "../../../../provider/engine/sentinels";
import { typeNameOf } from "../../../../provider/resource/ownership/type-token";
import { SessionPool } from "../../../../provider/session/session-pool";
import { RecordedLog } from "../../recorded-log";
import { agent, agentAt, canary, World } from "../../world";
import { connect, propsIn, send, struct } from "./client";

const urn = "urn:pulumi:dev::shop::agentserver:index:Deployment::agent";

/** Returns a client for a provider that is configured from the environment. */
function start(world: World, clock: Clock = world.time): Promise<ResourceProviderClient> {
  return connect({
    kindOf: (type) => (typeNameOf(type) === "Deployment" ? deploymentKind() : undefined),
    sessions: new SessionPool({ env: world.environment, clock, random: () => 0.5 }),
    log: world.log,
    schema: () => "{}",
  });
}

function checkConfig(client: ResourceProviderClient, news: object): Promise<messages.CheckResponse> {
  const request = new messages.CheckRequest().setNews(struct(news));
  return send(client, "checkConfig", request);
}

async function create(client: ResourceProviderClient, inputs: object, preview = false) {
  const request = new messages.CreateRequest().setUrn(urn).setProperties(struct(inputs)).setPreview(preview);
  return send(client, "create", request);
}

function diff(client: ResourceProviderClient, olds: object, news: object): Promise<messages.DiffResponse> {
  const request = new messages.DiffRequest()
    .setUrn(urn)
    .setId("id")
    .setOlds(struct(olds))
    .setNews(struct(news));
  return send(client, "diff", request);
}

test.each(["apiKeyEu", "euKey", "production"])(
  "accepts the key %s of another server without a warning, and treats it as secret",
  async (key) => {
    const world = await World.start();
    const response = await checkConfig(await start(world), { [key]: "key-eu", version: "1.0.0" });
    expect(world.log.lines("warning")).toEqual([]);
    expect(propsIn(response.getInputs())).toEqual({ [key]: asSecret("key-eu"), version: "1.0.0" });
  },
);

test("accepts a misspelled setting with a warning that does not contain its value", async () => {
  const world = await World.start();
  const client = await start(world);
  const response = await checkConfig(client, { apikey: `${canary}-key`, version: "1.0.0", custom: "x" });
  expect(response.getFailuresList()).toEqual([]);
  expect(world.log.lines("warning")).toEqual([
    "apikey is not a setting of this provider. Did you mean apiKey?",
  ]);
});

test.each([
  ["a shortened commit", "1a2b3c4", "1a2b3c4"],
  ["a digest", `sha256:${"a".repeat(64)}`, `sha256:${"a".repeat(64)}`],
  ["a secret approval", asSecret("1a2b3c4"), asSecret("1a2b3c4")],
  ["a commit", "1a2b3c4d".repeat(5), "1a2b3c4d".repeat(5)],
  ["a key", "key-eu", asSecret("key-eu")],
  ["a hexadecimal key", "1a2b3c4d".repeat(4), asSecret("1a2b3c4d".repeat(4))],
])("treats an unknown setting as a secret unless it may be an approval: %s", async (_, value, expected) => {
  const response = await checkConfig(await start(await World.start()), { approved: value });
  expect(propsIn(response.getInputs())).toEqual({ approved: expected });
});

test("marks credentials as secret in a provider's settings", async () => {
  const client = await start(await World.start());
  const response = await checkConfig(client, { apiKey: "key", region: "eu" });
  expect(propsIn(response.getInputs())).toEqual({ apiKey: asSecret("key"), region: "eu" });
});

test("prefers the settings of an explicit provider to the environment", async () => {
  const world = await World.start();
  const client = await start(world);
  const args = struct({ tenantId: asSecret("other tenant"), baseUrl: world.address, offline: "true" });
  await send(client, "configure", new messages.ConfigureRequest().setArgs(args));
  const request = new messages.CheckRequest().setUrn(urn).setOlds(struct({})).setNews(struct(agent()));
  const response = await send(client, "check", request);
  expect(response.getFailuresList()[0]!.getReason()).toContain("workspace (tenant) id contains a space");
});

test("marks a misspelled credential as secret", async () => {
  const client = await start(await World.start());
  const response = await checkConfig(client, { apikey: `${canary}-key`, Region: "eu" });
  expect(propsIn(response.getInputs())).toEqual({
    apikey: asSecret(`${canary}-key`),
    Region: asSecret("eu"),
  });
});

describe("a provider with secret settings", () => {
  const configure = (client: ResourceProviderClient, settings: object) =>
    send(client, "configure", new messages.ConfigureRequest().setArgs(struct(settings)));

  test.each(["region", "dialect", "caFile"])(
    "does not repeat secret settings in check failures: %s",
    async (setting) => {
      const client = await start(await World.start());
      await configure(client, { [setting]: asSecret(`${canary}-${setting}`) });
      const request = new messages.CheckRequest().setUrn(urn).setOlds(struct({})).setNews(struct(agent()));
      const response = await send(client, "check", request);
      expect(response.getFailuresList().length).toBeGreaterThan(0);
    },
  );

  test("marks fields of the `controlPlane` output as secret if they repeat secret settings", async () => {
    const world = await World.start();
    const client = await start(world);
    const { baseUrl, tenantId } = world.plane;
    await configure(client, { baseUrl: asSecret(`${baseUrl}/`), tenantId: asSecret(tenantId) });
    const inputs = { ...agent(), ownerId: "owner" };
    const created = await create(client, inputs);
    const marked = { baseUrl: asSecret(`${baseUrl}/api-host`), tenantId: asSecret(tenantId) };
    expect(propsIn(created.getProperties())["controlPlane"]).toMatchObject(marked);

    const news = struct({ ...inputs, sourceRevisionConfig: { repoRef: "v2" } });
    const update = new messages.UpdateRequest().setUrn(urn).setId(created.getId()).setNews(news);
    for (const isPreview of [true, false]) {
      const request = update.setOlds(created.getProperties()).setPreview(isPreview);
      const updated = await send(client, "update", request);
      expect(propsIn(updated.getProperties())["controlPlane"]).toMatchObject(marked);
    }
    const read = new messages.ReadRequest().setUrn(urn).setId(created.getId());
    const found = await send(client, "read", read);
    expect(propsIn(found.getProperties())["controlPlane"]).toMatchObject(marked);
  });

  test("does not repeat secret settings in the message about another control plane", async () => {
    const world = await World.start();
    const client = await start(world);
    const created = await create(client, { ...agent(), ownerId: "owner" });
    await configure(client, { baseUrl: asSecret(`HTTP://127.0.0.1:9/${canary}/`) });
    const request = new messages.ReadRequest().setUrn(urn).setId(created.getId());
    const refused = send(client, "read", request.setProperties(created.getProperties()));
    await expect(refused).rejects.toMatchObject({
      details: expect.stringContaining("different control plane than the configured one"),
    });
  });
});

test("does not repeat a secret in a failure about `clear`", async () => {
  const client = await start(await World.start());
  const news = struct({ ...agent(), clear: [asSecret(`${canary}-path`)] });
  const request = new messages.CheckRequest().setUrn(urn).setOlds(struct({})).setNews(news);
  const response = await send(client, "check", request);
  expect(response.getFailuresList().map((one) => one.getReason())).toEqual([
    expect.stringMatching(/^clear: \[secret\] cannot be cleared/),
  ]);
});

test("rejects an asset as the value of secrets, and returns it unchanged", async () => {
  const client = await start(await World.start());
  const asset = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: "x" };
  const news = struct({ ...agent(), secrets: asset });
  const request = new messages.CheckRequest().setUrn(urn).setOlds(struct({})).setNews(news);
  const response = await send(client, "check", request);
  expect(response.getFailuresList()).not.toEqual([]);
  expect(propsIn(response.getInputs())["secrets"]).toEqual(asset);
});

test("does not replace any resource when a provider's settings change", async () => {
  const client = await start(await World.start());
  const request = new messages.DiffRequest()
    .setOlds(struct({ region: "us" }))
    .setNews(struct({ region: "eu" }));
  const response = await send(client, "diffConfig", request);
  expect(response.getChanges()).toBe(messages.DiffResponse.DiffChanges.DIFF_UNKNOWN);
  expect(response.getReplacesList()).toEqual([]);
});

test("rejects calls that it does not support", async () => {
  const client = await start(await World.start());
  const refused = send(client, "construct", new messages.ConstructRequest());
  await expect(refused).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
});

test("rejects streaming calls, and continues to respond", async () => {
  const client = await start(await World.start());
  const stream = client.list(new messages.ListRequest()).on("data", () => undefined);
  const [error] = (await once(stream, "error")) as [ServiceError];
  expect(error.code).toBe(status.UNIMPLEMENTED);
  await checkConfig(client, {});
});

/** Returns the kinds of the changes, by path. */
function changesIn(response: messages.DiffResponse): Record<string, number> {
  const kinds: Record<string, number> = {};
  response.getDetaileddiffMap().forEach((change: messages.PropertyDiff, path: string) => {
    kinds[path] = change.getKind();
  });
  return kinds;
}

/** Creates the agent, and returns its state and inputs. */
async function created(client: ResourceProviderClient) {
  const news = struct({ ...agent(), ownerId: "owner" });
  const request = new messages.CreateRequest().setUrn(urn).setProperties(news);
  const response = await send(client, "create", request);
  return { id: response.getId(), olds: response.getProperties()!, news };
}

test("leaves the outputs unknown if an unknown input may replace the resource", async () => {
  const client = await start(await World.start());
  const { id, olds, news } = await created(client);
  const change = struct({ ...propsIn(news), name: unknownValue });
  const request = new messages.UpdateRequest().setUrn(urn).setId(id).setPreview(true);
  const planned = await send(client, "update", request.setOlds(olds).setOldInputs(news).setNews(change));
  expect(propsIn(planned.getProperties())).toMatchObject({
    url: unknownValue,
    latestRevisionId: unknownValue,
    verified: unknownValue,
  });
});

test("shows an unknown group as a single change", async () => {
  const client = await start(await World.start());
  const { olds, news } = await created(client);
  const change = { ...propsIn(news), sourceRevisionConfig: unknownValue };
  const response = await diff(client, propsIn(olds), change);
  const { UPDATE } = messages.PropertyDiff.Kind;
  expect(changesIn(response)).toEqual({ sourceRevisionConfig: UPDATE });
});

test("ends a check when the update is canceled", async () => {
  let hold = () => {};
  const held = new Promise<void>((resolve) => (hold = resolve));
  const server = createServer(() => hold());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const env = {
      AGENTSERVER_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AGENTSERVER_API_KEY: "key",
      AGENTSERVER_TENANT_ID: "tenant",
    };
    const client = await connect({
      kindOf: () => deploymentKind(),
      sessions: new SessionPool({ env, clock: systemClock, random: () => 0.5 }),
      log: new RecordedLog(),
      schema: () => "{}",
      // Long enough that the test detects a cancellation that does not end the check.
      maxWaitMs: 3_600_000,
    });
    const request = new messages.CheckRequest().setUrn(urn).setOlds(struct({})).setNews(struct(agent()));
    const checked = send(client, "check", request);
    await held;
    await send(client, "cancel", new Empty());
    expect((await checked).getFailuresList()).toEqual([]);
  } finally {
    server.close().closeAllConnections();
  }
});

test("rejects an unknown resource type by name", async () => {
  const client = await start(await World.start());
  const request = new messages.CreateRequest().setUrn(urn.replace("Deployment", "Toaster"));
  const refused = send(client, "create", request);
  await expect(refused).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
    details: "The provider has no resource type agentserver:index:Toaster.",
  });
});

test("marks each secret value as secret in a preview, and leaves the URL unknown", async () => {
  const world = await World.start();
  const secrets = asSecret({ KEY: `${canary}-1` });
  const planned = await create(await start(world), { ...agent(), secrets, ownerId: "owner" }, true);
  expect(propsIn(planned.getProperties())).toMatchObject({
    name: agent().name,
    secrets: { KEY: asSecret(`${canary}-1`) },
    url: unknownValue,
    latestRevisionId: unknownValue,
  });
  expect(world.admin.journal()).toEqual([]);
});

test("keeps artifacts secret that were verified while the source was secret", async () => {
  const world = await World.start();
  const client = await start(world);
  const of = (imageUri: unknown) => ({
    ...agent({ source: "external_docker", sourceConfig: {}, rollout: { verify: { ok: false } } }),
    sourceRevisionConfig: { imageUri },
    ownerId: "owner",
  });
  const image = (digit: string) => `registry.example.com/agent@sha256:${digit.repeat(64)}`;
  const created = await create(client, of(asSecret(image("1"))));
  let state = created.getProperties()!;
  for (const digit of ["2", "3"]) {
    const request = new messages.UpdateRequest().setUrn(urn).setId(created.getId()).setOlds(state);
    state = (await send(client, "update", request.setNews(struct(of(image(digit)))))).getProperties()!;
    const { verified, serving } = propsIn(state);
    expect([verified, JSON.stringify(verified)]).toEqual([
      asSecret(expect.anything()),
      expect.stringContaining(image("1")),
    ]);
    expect(serving).toMatchObject({ sourceRevisionConfig: { imageUri: image(digit) } });
  }
});

test("keeps the generated name of an agent's deployment in the preview of an update", async () => {
  const world = await World.start({ dialect: "langsmith" });
  const client = await start(world);
  const { name: _name, ...others } = agent();
  const agentId = "11111111-1111-4111-8111-111111111111";
  const inputs = { ...others, agent: { agentId, environment: "production" }, ownerId: "owner" };
  const created = await create(client, inputs);
  const request = new messages.UpdateRequest().setUrn(urn).setId(created.getId()).setPreview(true);
  const news = struct({ ...inputs, rollout: { timeout: "1h" } });
  request.setOlds(created.getProperties()).setOldInputs(struct(inputs)).setNews(news);
  const planned = await send(client, "update", request);
  expect(propsIn(planned.getProperties())).toMatchObject({ name: "agent-1111-production" });
});

test("lists each changed path with its effect", async () => {
  const world = await World.start();
  const client = await start(world);
  const created = await create(client, { ...agent(), ownerId: "owner" });
  const news = agentAt("v2", { source: "external_docker", displayName: "Agent" });
  const response = await diff(client, propsIn(created.getProperties()), { ...news, ownerId: "owner" });
  const { Kind } = messages.PropertyDiff;
  expect(changesIn(response)).toEqual({
    source: Kind.UPDATE_REPLACE,
    "sourceRevisionConfig.repoRef": Kind.UPDATE,
    displayName: Kind.ADD,
  });
  expect(response.getReplacesList()).toEqual(["source"]);
});

test("finds no difference in a state that the dynamic provider has written", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const response = await diff(await start(world), stack.outputs, {
    ...agent(),
    ownerId: stack.state.ownerId,
  });
  expect(response.getChanges()).toBe(messages.DiffResponse.DiffChanges.DIFF_NONE);
  expect(response.getDetaileddiffMap().getLength()).toBe(0);
});

test("stops waiting when the call is canceled, and keeps the resource", async () => {
  const world = await World.start({ clock: planeClock });
  world.admin.steer({ pace: { afterReads: 1_000_000 } });
  const client = await start(world, systemClock);
  const created = create(client, agent()).catch((error: unknown) => error as ServiceError);
  const giveUp = AbortSignal.timeout(60_000);
  while (!world.admin.journal().some(({ path }) => path.includes("/revisions/"))) {
    giveUp.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await send(client, "cancel", new Empty());
  const failure = (await created) as ServiceError;
  expect(failure).toMatchObject({
    code: status.UNKNOWN,
    details: expect.stringContaining("the operation was canceled; run the same command again to resume it"),
  });
  expect(failure.metadata.get("grpc-status-details-bin")).toHaveLength(1);
});
