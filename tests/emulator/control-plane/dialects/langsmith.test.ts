import type { Deployment, Refused, Resources, Revision } from "../../answers";
import { deploymentRecord, failure, validationFailure } from "../../../../wire";
import { archiveOf } from "../uploads/archive";
import { upload } from "../uploads/rig";
import { clientOf, creationIn, type Rig, start, stopAll } from "../client";

afterEach(stopAll);

const path = "/v2/deployments";
const creation = (name: string, more: object = {}): object => creationIn("langsmith", name, more);

function begin(): Promise<Rig> {
  return start({ dialect: "langsmith" });
}

describe("a create request from a real client", () => {
  test.each([
    [
      "the documented example, with nulls",
      {
        source: "github",
        source_config: {
          repo_url: "https://github.com/acme/agents",
          deployment_type: "serverless",
          build_on_push: true,
          custom_url: null,
          resource_spec: null,
        },
        source_revision_config: {
          repo_ref: "main",
          langgraph_config_path: "langgraph.json",
          image_uri: null,
        },
        secrets: [{ name: "A", value: "one" }],
      },
    ],
    [
      "from the command-line tool, for its own registry",
      {
        source: "internal_docker",
        source_config: { deployment_type: "dev" },
        source_revision_config: {},
        secrets: [],
      },
    ],
    [
      "from the command-line tool, for an archive",
      {
        source: "internal_source",
        source_config: { deployment_type: "prod" },
        source_revision_config: { langgraph_config_path: "langgraph.json" },
        secrets: [],
      },
    ],
    [
      "for a self-hosted installation",
      {
        source: "external_docker",
        source_config: { resource_spec: {} },
        source_revision_config: { image_uri: "registry.test/agent:1" },
        secrets: [],
      },
    ],
    [
      "with unknown fields",
      {
        ...creation("x"),
        tracked_packages: ["a"],
        source_config: { repo_url: "https://e.test", color: "red" },
      },
    ],
  ])("is accepted: %s", async (_what, body) => {
    const { client } = await begin();
    const { status, body: made } = await client.post(path, { ...body, name: "agent" });
    expect(status).toBe(201);
    expect(deploymentRecord.parse(made).name).toBe("agent");
  });

  test.each([
    ["source_config.repo_url", { source_config: {} }],
    ["source_revision_config.repo_ref", { source_revision_config: { langgraph_config_path: "a.json" } }],
    ["source_revision_config.langgraph_config_path", { source_revision_config: { repo_ref: "main" } }],
    ["source_config.resource_spec", { source: "external_docker" }],
    [
      "source_config.deployment_type",
      {
        source: "external_docker",
        source_config: { resource_spec: {}, deployment_type: "prod" },
        source_revision_config: { image_uri: "agent:1" },
      },
    ],
    [
      "source_config.build_on_push",
      {
        source_config: { repo_url: "https://e.test", build_on_push: true },
        source_revision_config: { repo_ref: "refs/tags/v1", langgraph_config_path: "a.json" },
      },
    ],
  ])("is rejected because of %s", async (field, change) => {
    const { client } = await begin();
    const { status, body } = await client.post(path, creation("agent", change));
    expect(status).toBe(400);
    expect(failure.parse(body).detail).toMatch(new RegExp(`^Source configuration error: '${field}'`));
  });

  test.each([
    ["source", { source: "gitlab" }, "literal_error"],
    ["secrets", { secrets: undefined }, "missing"],
    [
      "source_config.deployment_type",
      { source_config: { repo_url: "https://e.test", deployment_type: "huge" } },
      "literal_error",
    ],
    [
      "source_config.resource_spec.cpu",
      { source_config: { resource_spec: { cpu: 0 } } },
      "greater_than_equal",
    ],
    [
      "source_config.resource_spec.memory_mb",
      { source_config: { resource_spec: { memory_mb: 200 } } },
      "value_error",
    ],
    [
      "source_config.resource_spec.redis_memory_limit_mb",
      { source_config: { resource_spec: { redis_memory_mb: 512, redis_memory_limit_mb: 256 } } },
      "value_error",
    ],
  ])("fails validation if %s is invalid", async (place, change, type) => {
    const { client } = await begin();
    const { status, body } = await client.post(path, creation("agent", change));
    expect(status).toBe(422);
    expect(validationFailure.parse(body).detail).toEqual([
      expect.objectContaining({ loc: ["body", ...place.split(".")], type }),
    ]);
  });

  test("is rejected if a secret has a reserved name", async () => {
    const { client } = await begin();
    const secrets = [{ name: "LANGSMITH_HOST_PROJECT_ID", value: "x" }];
    expect(await client.post(path, creation("agent", { secrets }))).toMatchObject({ status: 400 });
  });
});

test("returns a deployment in the dialect's format, with default values", async () => {
  const { client, clock } = await begin();
  const { body } = await client.post<Deployment>(path, creation("agent"));
  expect(body.source_revision_config).toEqual({
    repo_ref: "main",
    langgraph_config_path: "langgraph.json",
    image_uri: null,
    source_tarball_path: null,
    repo_commit_sha: null,
  });
  expect(body.source_config).toMatchObject({
    deployment_type: "prod",
    repo_branch: "main",
    listener_id: null,
  });
  await clock.advance(20_000);
  const built = (await client.get<Deployment>(`${path}/${body.id}`)).body;
  expect(built.source_revision_config.repo_ref).toMatch(/^[0-9a-f]{40}$/);
  expect(built.source_revision_config).toMatchObject({ image_uri: expect.stringMatching(/@sha256:/) });
  expect(built.source_config.repo_branch).toBe("main");
});

test("adds the service's default values to a resource specification", async () => {
  const { client } = await begin();
  const image = {
    source: "external_docker",
    source_config: { resource_spec: { cpu: 1.26, labels: { team: "a" } } },
    source_revision_config: { image_uri: "agent:1" },
  };
  const { body } = await client.post<Deployment>(path, creation("agent", image));
  expect(body.source_config.resource_spec).toEqual({
    min_scale: 1,
    max_scale: 1,
    cpu: 1.3,
    memory_mb: 2048,
    labels: { team: "a" },
  });
});

describe("a deployment without an initial source", () => {
  test("has no revision and shows no secrets before its first PATCH", async () => {
    const { client } = await begin();
    const made = await client.post<Deployment>(path, {
      name: "agent",
      source: "internal_docker",
      source_config: {},
      source_revision_config: {},
      secrets: [{ name: "A", value: "one" }],
    });
    expect(made.body).toMatchObject({ latest_revision_id: null, secrets: [] });
    const patched = await client.patch(`${path}/${made.body.id}`, {
      source_revision_config: { image_uri: "agent:1" },
    });
    expect(patched.body).toMatchObject({
      latest_revision_id: expect.any(String),
      secrets: [{ name: "A", value: "one" }],
    });
  });
});

describe("a request without a tenant", () => {
  test("succeeds if the key belongs to a single workspace", async () => {
    const { plane } = await begin();
    const client = clientOf(plane, { "X-Tenant-Id": "" });
    expect(await client.post(path, creation("agent"))).toMatchObject({
      status: 201,
      body: { tenant_id: plane.tenantId },
    });
  });

  test("is rejected in the interface dialect", async () => {
    const { plane } = await start();
    expect((await clientOf(plane, { "X-Tenant-Id": "" }).get(path)).status).toBe(403);
  });
});

test("uses the settings in the create request when a source is added", async () => {
  const { client } = await begin();
  const made = await client.post<Deployment>(path, {
    name: "agent",
    source: "internal_source",
    source_config: {},
    source_revision_config: { langgraph_config_path: "agents/langgraph.json" },
    secrets: [],
  });
  const shown = { langgraph_config_path: "agents/langgraph.json" };
  expect(made.body).toMatchObject({ latest_revision_id: null, source_revision_config: shown });
  const source_tarball_path = await upload(client, made.body.id, archiveOf({ "langgraph.json": "{}" }));
  const change = { source_revision_config: { source_tarball_path } };
  const patched = await client.patch<Deployment>(`${path}/${made.body.id}`, change);
  expect(patched.body.source_revision_config).toMatchObject({ ...shown, source_tarball_path });
});

test("rolls out only the newest queued revision, and skips the others", async () => {
  const { client, clock } = await begin();
  const { id } = (await client.post<Deployment>(path, creation("agent"))).body;
  for (const repo_ref of ["a", "b", "c"])
    await client.patch(`${path}/${id}`, { source_revision_config: { repo_ref } });
  await clock.advance(60_000);
  const { resources } = (await client.get<Resources<Revision>>(`${path}/${id}/revisions`)).body;
  expect(resources.map((one) => one.status)).toEqual(["DEPLOYED", "SKIPPED", "SKIPPED", "DEPLOYED"]);
  expect(resources[1]!.status_message).toBe(`Superseded by revision ${resources[0]!.id}.`);
});

test("changes the display name, the tracked branch, and the tiers", async () => {
  const { client } = await begin();
  const type = { source_config: { repo_url: "https://e.test", deployment_type: "dedicated" } };
  const { id, latest_revision_id } = (await client.post<Deployment>(path, creation("agent", type))).body;
  const patch = async <Body = unknown>(change: object) =>
    (await client.patch<Body>(`${path}/${id}`, change)).body;
  expect(
    await patch({ display_name: "Agent", tracked_repo_ref: "next", route_through_gateway: true }),
  ).toMatchObject({
    display_name: "Agent",
    source_config: { repo_branch: "next" },
    route_through_gateway: true,
    latest_revision_id,
  });
  expect((await client.patch(`${path}/${id}`, { display_name: "" })).status).toBe(422);
  const tier = await client.patch<Deployment>(`${path}/${id}/deployment-tier`, {
    deployment_tier: "DEDICATED_M",
  });
  expect(tier.body).toMatchObject({ deployment_tier: "DEDICATED_M", latest_revision_id: expect.any(String) });
  expect(tier.body.latest_revision_id).not.toBe(latest_revision_id);
  const parts = await client.patch(`${path}/${id}/resource-tiers`, { database_tier: "DEDICATED_L" });
  expect(parts.body).toMatchObject({ compute_tier: "DEDICATED_M", database_tier: "DEDICATED_L" });
  expect((await client.patch(`${path}/${id}/resource-tiers`, {})).status).toBe(400);
  expect((await patch<Refused>({ deployment_tier: "SERVERLESS_S" })).detail).toContain("SERVERLESS_S");
});

test("returns the number of free deployments", async () => {
  const { client } = await begin();
  const free = { source_config: { repo_url: "https://e.test", deployment_type: "dev_free" } };
  await client.post(path, creation("one", free));
  await client.post(path, creation("two"));
  expect((await client.get(`${path}/free-count`)).body).toEqual({ count: 1 });
});

test("records unknown fields, including those of the other dialect, in the journal", async () => {
  const { client, plane } = await begin();
  await client.post(
    path,
    creation("agent", {
      tracked_packages: ["a"],
      source_config: { repo_url: "https://e.test", color: "red" },
      source_revision_config: {
        repo_ref: "main",
        langgraph_config_path: "a.json",
        graph_config_path: "b.json",
      },
    }),
  );
  const [entry] = plane.admin.journal({ writes: true });
  expect(entry).toMatchObject({
    status: 201,
    unknownFields: expect.arrayContaining([
      "tracked_packages",
      "source_config.color",
      "source_revision_config.graph_config_path",
    ]),
  });
  expect(entry!.unknownFields).toHaveLength(3);
});
