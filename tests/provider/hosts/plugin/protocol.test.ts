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

test("accepts a misspelled setting with a warning that does not contain its value", async () => {
  const world = await World.start();
  const client = await start(world);
  const response = await checkConfig(client, { apikey: `${canary}-key`, version: "1.0.0", custom: "x" });
  expect(response.getFailuresList()).toEqual([]);
  expect(world.log.lines("warning")).toEqual([
    "apikey is not a setting of this provider. Did you mean apiKey?",
  ]);
});

test("marks credentials as secret in the settings of a provider", async () => {
  const client = await start(await World.start());
  const response = await checkConfig(client, { apiKey: "key", region: "eu" });
  expect(propsIn(response.getInputs())).toEqual({ apiKey: asSecret("key"), region: "eu" });
});

test("uses the settings of an explicit provider before the environment", async () => {
  const world = await World.start();
  const client = await start(world);
  const args = struct({ tenantId: asSecret("other tenant"), baseUrl: world.address, offline: "true" });
  await send(client, "configure", new messages.ConfigureRequest().setArgs(args));
  const request = new messages.CheckRequest().setUrn(urn).setOlds(struct({})).setNews(struct(agent()));
  const response = await send(client, "check", request);
  expect(response.getFailuresList()[0]!.getReason()).toContain("workspace (tenant) id contains a space");
});

test("replaces no resource when the settings of a provider change", async () => {
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

test("names an unknown resource type", async () => {
  const client = await start(await World.start());
  const request = new messages.CreateRequest().setUrn(urn.replace("Deployment", "Toaster"));
  const refused = send(client, "create", request);
  await expect(refused).rejects.toMatchObject({
    code: status.INVALID_ARGUMENT,
    details: "The provider has no resource type agentserver:index:Toaster.",
  });
});

test("marks each secret value in a preview and leaves the URL unknown", async () => {
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

test("keeps the artifacts secret that were verified while the source was secret", async () => {
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
  const effects: Record<string, number> = {};
  response.getDetaileddiffMap().forEach((change: messages.PropertyDiff, path: string) => {
    effects[path] = change.getKind();
  });
  expect(effects).toEqual({
    source: Kind.UPDATE_REPLACE,
    "sourceRevisionConfig.repoRef": Kind.UPDATE,
    displayName: Kind.ADD,
  });
  expect(response.getReplacesList()).toEqual(["source"]);
});

test("finds no difference in a state of the dynamic provider", async () => {
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
    details: expect.stringContaining("the update was canceled, and the next `pulumi up` resumes it"),
  });
  expect(failure.metadata.get("grpc-status-details-bin")).toHaveLength(1);
});
