import type { Deployment, Resources, Revision } from "../../answers";
import type { ControlPlaneOptions } from "../../../../emulator/index";
import { clientOf, creationIn, type Rig, start, stopAll } from "../client";
import { temporaryFolder } from "../folder";

afterEach(stopAll);

const path = "/v2/deployments";
const creation = (name: string): object => creationIn("langsmith", name);

function begin(options: ControlPlaneOptions = {}): Promise<Rig> {
  return start({ dialect: "langsmith", ...options });
}

describe("an orphaned tracing project", () => {
  const held = { status: 409, body: { detail: expect.stringContaining("tracing project") } };

  test("reserves the name of a deleted deployment unless deleted together with it", async () => {
    const { client } = await begin({ quirks: { orphanedTracingProjects: true } });
    const first = (await client.post<Deployment>(path, creation("agent"))).body.id;
    await client.delete(`${path}/${first}`);
    expect(await client.post(path, creation("agent"))).toMatchObject(held);
    const other = (await client.post<Deployment>(path, creation("other"))).body.id;
    await client.delete(`${path}/${other}?delete_tracing_project=true`);
    expect((await client.post(path, creation("other"))).status).toBe(201);
  });

  test("reserves the name until a reset if an administrator has created it", async () => {
    const { client, plane } = await begin();
    plane.admin.leaveTracingProject("agent");
    expect(await client.post(path, creation("agent"))).toMatchObject(held);
    await plane.admin.reset();
    expect((await client.post(path, creation("agent"))).status).toBe(201);
  });

  test("is not created while the quirk is disabled", async () => {
    const { client } = await begin();
    await client.delete(`${path}/${(await client.post<Deployment>(path, creation("agent"))).body.id}`);
    expect((await client.post(path, creation("agent"))).status).toBe(201);
  });
});

test("keeps deployments with names of more than 21 characters from becoming ready", async () => {
  const { client, clock, plane, faults } = await begin({ quirks: { longNamesNeverReady: true } });
  const names = ["a".repeat(21), "a".repeat(22)];
  for (const name of names) await client.post(path, creation(name));
  await clock.advance(24 * 3_600_000);
  const { resources } = (await client.get<Resources<Deployment>>(path)).body;
  expect(resources.map((one: { url: string | null }) => one.url !== null)).toEqual([true, false]);
  const { id, latest_revision_id: latest } = resources[1]!;
  expect((await client.get<Revision>(`${path}/${id}/revisions/${latest}`)).body.status).toBe("DEPLOYING");
  // If the quirk is disabled, the next revision is rolled out.
  plane.admin.setQuirks({ longNamesNeverReady: false });
  await client.post(`${path}/${id}/revisions/${latest}/interrupt`);
  await client.post(`${path}/${id}/revisions`, {});
  await clock.advance(60_000);
  expect((await client.get<Deployment>(`${path}/${id}`)).body.url).not.toBeNull();
  expect(faults).toEqual([]);
});

describe("a slow database", () => {
  test("delays only the first rollout", async () => {
    const { client, clock } = await begin({ quirks: { databaseSeconds: 600 } });
    const {
      id,
      status,
      latest_revision_id: first,
    } = (await client.post<Deployment>(path, creation("agent"))).body;
    expect(status).toBe("AWAITING_DATABASE");
    await clock.advance(599_000);
    expect((await client.get<Revision>(`${path}/${id}/revisions/${first}`)).body.status).toBe("CREATING");
    await clock.advance(60_000);
    expect((await client.get(`${path}/${id}`)).body).toMatchObject({
      status: "READY",
      active_revision_id: first,
    });
    const { id: second } = (await client.post<Revision>(`${path}/${id}/revisions`, {})).body;
    await clock.advance(60_000);
    expect((await client.get<Deployment>(`${path}/${id}`)).body.active_revision_id).toBe(second);
  });

  test("becomes ready even if the control plane restarts", async () => {
    const state = temporaryFolder();
    const quirks = { databaseSeconds: 600 };
    const before = await begin({ state, quirks });
    const { id } = (await before.client.post<Deployment>(path, creation("agent"))).body;
    await before.plane.close();
    const { client } = await begin({ state, clock: before.clock });
    await before.clock.advance(700_000);
    expect((await client.get(`${path}/${id}`)).body).toMatchObject({
      status: "READY",
      url: expect.any(String),
    });
  });

  test("does not block a delete", async () => {
    const { client, clock, faults } = await begin({ quirks: { databaseSeconds: 600 } });
    const { id } = (await client.post<Deployment>(path, creation("agent"))).body;
    expect((await client.delete(`${path}/${id}`)).status).toBe(204);
    await clock.advance(700_000);
    expect((await client.get(`${path}/${id}`)).status).toBe(404);
    expect(faults).toEqual([]);
  });
});

test("requires a workspace if the key belongs to an organization", async () => {
  const { plane } = await begin({ quirks: { organizationKeys: true } });
  const client = clientOf(plane, { "X-Tenant-Id": "" });
  expect(await client.get(path)).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining("requires workspace specification") },
  });
  expect((await clientOf(plane).get(path)).status).toBe(200);
  plane.admin.setQuirks({ organizationKeys: false });
  expect((await client.get(path)).status).toBe(200);
});
