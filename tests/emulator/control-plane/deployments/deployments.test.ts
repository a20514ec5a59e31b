import type { Deployment, Resources } from "../../answers";
import { deploymentRecord } from "../../../../wire";
import { creation, start, stopAll } from "../client";

afterEach(stopAll);

const missing = "0b5c2a48-1c3e-4ad2-9d6e-5b2d0f3d0000";

describe.each(["", "/api-host"])("with the path prefix '%s'", (prefix) => {
  const path = `${prefix}/v2/deployments`;

  test("creates, reads, changes, and deletes a deployment", async () => {
    const { client, clock, plane } = await start();
    const created = await client.post<Deployment>(path, creation("agent"));
    expect(created.status).toBe(201);
    const { id, latest_revision_id } = created.body;
    expect(created.body).toMatchObject({
      name: "agent",
      status: "READY",
      url: null,
      active_revision_id: null,
    });

    const revision = await client.get(`${path}/${id}/revisions/${latest_revision_id}`);
    expect(revision).toMatchObject({ status: 200, body: { id: latest_revision_id, status: "CREATING" } });
    await clock.advance(10_000);
    const ready = (await client.get<Deployment>(`${path}/${id}`)).body;
    expect(ready).toMatchObject({ active_revision_id: latest_revision_id });
    expect(ready.url).toContain(id);
    expect(ready.source_config).toMatchObject({ custom_url: ready.url });
    const emptied = await client.patch<Deployment>(`/v2/deployments/${ready.id}`, {
      source_config: { custom_url: "" },
    });
    expect(emptied.body.source_config).toMatchObject({ custom_url: ready.url });
    const page = await client.get(`/o/${plane.tenantId}/host/deployments/${id}`);
    expect(page.status).toBe(200);

    const patched = await client.patch(`${path}/${id}`, { source_config: { build_on_push: true } });
    expect(patched).toMatchObject({ status: 200, body: { id, source_config: { build_on_push: true } } });
    expect((await client.delete(`${path}/${id}`)).status).toBe(204);
    expect(await client.get(`${path}/${id}`)).toMatchObject({
      status: 404,
      body: { detail: `Deployment ID ${id} not found.` },
    });
    expect((await client.delete(`${path}/${id}`)).status).toBe(404);
  });
});

test("returns every documented field in the format of the wire schema", async () => {
  const { client } = await start();
  const { body } = await client.post<Deployment>("/v2/deployments", creation("agent"));
  expect(Object.keys(body).sort()).toEqual(
    [
      "id",
      "tenant_id",
      "name",
      "display_name",
      "source",
      "source_config",
      "source_revision_config",
      "secrets",
      "secret_references",
      "shareable",
      "route_through_gateway",
      "status",
      "latest_revision_id",
      "active_revision_id",
      "tracer_session_id",
      "url",
      "image_version",
      "is_preview",
      "is_managed_deep_agent",
      "deployment_tier",
      "compute_tier",
      "database_tier",
      "agent",
      "created_at",
      "updated_at",
    ].sort(),
  );
  expect(deploymentRecord.parse(body).id).toBe(body.id);
});

test("reports the URL after the first successful rollout, even if later rollouts fail", async () => {
  const { client, clock, plane } = await start();
  const { id } = (await client.post<Deployment>("/v2/deployments", creation("agent"))).body;
  await clock.advance(10_000);
  const url = `${plane.baseUrl}/agents/${id}`;
  expect((await client.get<Deployment>(`/v2/deployments/${id}`)).body.url).toBe(url);
  plane.admin.steer({ verdict: "BUILD_FAILED" });
  await client.patch(`/v2/deployments/${id}`, { source_revision_config: { repo_ref: "broken" } });
  await clock.advance(10_000);
  expect((await client.get(`/v2/deployments/${id}`)).body).toMatchObject({
    url,
    source_revision_config: { repo_ref: "broken", graph_config_path: "langgraph.json" },
  });
});

describe("the status of a deployment", () => {
  const path = "/v2/deployments";
  const statusesIn = async ({ client }: Awaited<ReturnType<typeof start>>, id: string) => {
    const { status } = (await client.get<Deployment>(`${path}/${id}`)).body;
    const listed = async (filter: string) =>
      (await client.get<Resources<Deployment>>(`${path}?status=${filter}`)).body.resources.length === 1;
    return { status, READY: await listed("READY"), UNKNOWN: await listed("UNKNOWN") };
  };
  const unknown = { status: "UNKNOWN", READY: false, UNKNOWN: true };
  const ready = { status: "READY", READY: true, UNKNOWN: false };

  test.each(["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED"])(
    "is not READY while no revision is active and the newest one is %s",
    async (verdict) => {
      const rig = await start();
      rig.plane.admin.steer({ verdict, times: 2 });
      const { id } = (await rig.client.post<Deployment>(path, creation("agent"))).body;
      expect(await statusesIn(rig, id)).toEqual(ready);
      await rig.clock.advance(10_000);
      expect(await statusesIn(rig, id)).toEqual(unknown);
      await rig.client.post(`${path}/${id}/revisions`, {});
      expect(await statusesIn(rig, id)).toEqual(ready);
      await rig.clock.advance(10_000);
      expect(await statusesIn(rig, id)).toEqual(unknown);
      await rig.client.post(`${path}/${id}/revisions`, {});
      await rig.clock.advance(10_000);
      expect(await statusesIn(rig, id)).toEqual(ready);
    },
  );

  test("is not READY if the only revision was interrupted", async () => {
    const rig = await start();
    const { id, latest_revision_id: revision } = (await rig.client.post<Deployment>(path, creation("agent")))
      .body;
    await rig.client.post(`${path}/${id}/revisions/${revision}/interrupt`);
    await rig.clock.advance(10_000);
    expect(await statusesIn(rig, id)).toEqual(unknown);
  });

  test("stays READY when a later revision fails", async () => {
    const rig = await start();
    const { id } = (await rig.client.post<Deployment>(path, creation("agent"))).body;
    await rig.clock.advance(10_000);
    rig.plane.admin.steer({ verdict: "DEPLOY_FAILED" });
    await rig.client.post(`${path}/${id}/revisions`, {});
    await rig.clock.advance(10_000);
    expect(await statusesIn(rig, id)).toEqual(ready);
  });
});

describe("a PATCH", () => {
  const existing = async () => {
    const rig = await start();
    const secrets = [{ name: "A", value: "one" }];
    const { body } = await rig.client.post<Deployment>("/v2/deployments", creation("agent", { secrets }));
    return {
      ...rig,
      created: body,
      patch: (change: object) => rig.client.patch<Deployment>(`/v2/deployments/${body.id}`, change),
    };
  };

  test.each([
    ["an empty body", {}],
    ["groups that are null", { source_config: null, source_revision_config: null, secrets: null }],
    ["unknown fields", { color: "red", source_config: { shape: "round" } }],
    ["the current values of immutable fields", { name: "agent", source: "github" }],
    [
      "the current value of an immutable nested field",
      { source_config: { repo_url: "https://example.test/agent.git" } },
    ],
    ["nulls that keep the current values", { source_config: { repo_url: null, build_on_push: null } }],
  ])("changes nothing with %s", async (_what, change) => {
    const { patch, created } = await existing();
    const { status, body } = await patch(change);
    expect(status).toBe(200);
    expect({ ...body, updated_at: "" }).toEqual({ ...created, updated_at: "" });
  });

  test.each([
    ["name", { name: "other" }],
    ["source", { source: "external_docker" }],
    ["source_config.repo_url", { source_config: { repo_url: "https://example.test/other.git" } }],
    ["source_config.integration_id", { source_config: { integration_id: "7" } }],
    ["source_config.deployment_type", { source_config: { deployment_type: "prod", build_on_push: true } }],
  ])("is rejected as a whole if it changes %s", async (field, change) => {
    const { patch, created } = await existing();
    expect(await patch({ ...change, source_revision_config: { repo_ref: "next" } })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(`'${field}'`) },
    });
    expect((await patch({})).body).toEqual(created);
  });

  test("replaces all secrets as a whole, without creating a revision", async () => {
    const { patch, created } = await existing();
    const { body } = await patch({ secrets: [{ name: "B", value: "two" }] });
    expect(body).toMatchObject({
      secrets: [{ name: "B", value: "two" }],
      latest_revision_id: created.latest_revision_id,
    });
    expect((await patch({ secrets: [] })).body.secrets).toEqual([]);
  });

  test("merges source_config, and clears optional fields with null", async () => {
    const { patch } = await existing();
    await patch({ source_config: { custom_url: "https://a.test", resource_spec: { cpu: 1 } } });
    const { body } = await patch({ source_config: { custom_url: null, build_on_push: true } });
    expect(body.source_config).toMatchObject({
      custom_url: null,
      build_on_push: true,
      resource_spec: { cpu: 1 },
    });
  });

  test.each([{ repo_ref: "next" }, { repo_ref: "main" }, {}])(
    "creates a revision if source_revision_config is %j",
    async (change) => {
      const { patch, created } = await existing();
      const { body } = await patch({ source_revision_config: change });
      expect(body.latest_revision_id).not.toBe(created.latest_revision_id);
      expect(body.source_revision_config).toMatchObject({
        repo_ref: "main",
        graph_config_path: "langgraph.json",
        ...change,
      });
    },
  );

  test("returns 404 for a missing deployment", async () => {
    const { client } = await start();
    expect((await client.patch(`/v2/deployments/${missing}`, {})).status).toBe(404);
  });
});

describe("the list", () => {
  test("returns pages, oldest first, and supports filters", async () => {
    const { client } = await start();
    for (const name of ["one", "two", "three", "twofold"])
      await client.post("/v2/deployments", creation(name));
    const names = async (query: string): Promise<[string[], number]> => {
      const { body } = await client.get<Resources<Deployment>>(`/v2/deployments${query}`);
      return [body.resources.map((one) => one.name), body.offset];
    };
    expect(await names("")).toEqual([["one", "two", "three", "twofold"], 4]);
    expect(await names("?limit=2")).toEqual([["one", "two"], 2]);
    expect(await names("?limit=2&offset=2")).toEqual([["three", "twofold"], 4]);
    expect(await names("?offset=9")).toEqual([[], 9]);
    expect(await names("?name=two")).toEqual([["two"], 1]);
    expect(await names("?name_contains=two")).toEqual([["two", "twofold"], 2]);
    expect(await names("?status=AWAITING_DELETE")).toEqual([[], 0]);
  });

  test("returns twenty entries by default", async () => {
    const { client } = await start();
    for (let place = 0; place < 21; place++) await client.post("/v2/deployments", creation(`agent-${place}`));
    expect((await client.get<Resources<Deployment>>("/v2/deployments")).body.resources).toHaveLength(20);
    expect(
      (await client.get<Resources<Deployment>>("/v2/deployments?limit=100")).body.resources,
    ).toHaveLength(21);
  });
});

describe("a name", () => {
  test("belongs to only one deployment", async () => {
    const { client } = await start();
    await client.post("/v2/deployments", creation("agent"));
    expect(await client.post("/v2/deployments", creation("agent"))).toMatchObject({
      status: 409,
      body: { detail: "A deployment named 'agent' already exists." },
    });
  });

  test("stays reserved until the deletion is complete", async () => {
    const { client, clock } = await start({ lingerSeconds: 60 });
    const { id } = (await client.post<Deployment>("/v2/deployments", creation("agent"))).body;
    const path = `/v2/deployments/${id}`;
    expect((await client.delete(path)).status).toBe(204);
    expect(await client.get(path)).toMatchObject({ status: 200, body: { status: "AWAITING_DELETE" } });
    expect(
      (await client.get<Resources<Deployment>>("/v2/deployments?status=AWAITING_DELETE")).body.resources,
    ).toHaveLength(1);
    expect((await client.post("/v2/deployments", creation("agent"))).status).toBe(409);
    expect((await client.patch(path, {})).status).toBe(409);
    expect((await client.delete(path)).status).toBe(404);
    await clock.advance(60_000);
    expect((await client.get(path)).status).toBe(404);
    expect((await client.post("/v2/deployments", creation("agent"))).status).toBe(201);
  });
});
