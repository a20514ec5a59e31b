import { randomUUID } from "node:crypto";
import type { FieldFault, Listener, Refused, Resources } from "../../answers";
import { listenerRecord, listenersList } from "../../../../wire";
import { clientOf, start, stopAll } from "../client";
import { temporaryFolder } from "../folder";

afterEach(stopAll);

const path = "/v2/listeners";
const body = { compute_type: "k8s", compute_id: "cluster", compute_config: { k8s_namespaces: ["agents"] } };

test("creates, reads, lists, changes, and deletes a listener", async () => {
  const { client } = await start();
  const created = await client.post<Listener>(path, { ...body, version: "1.0" });
  expect(created.status).toBe(201);
  expect(listenerRecord.parse(created.body)).toEqual(created.body);
  expect(created.body).toMatchObject({ ...body, version: "1.0" });
  const one = `${path}/${created.body.id}`;
  expect((await client.get(`/api-host${one}`)).body).toEqual(created.body);

  const patched = await client.patch<Listener>(one, { version: "2.0", compute_config: {} });
  expect(patched).toMatchObject({ status: 200, body: { version: "2.0", compute_id: "cluster" } });
  expect(patched.body.compute_config).toEqual({ k8s_namespaces: null });
  expect(patched.body.updated_at > created.body.updated_at).toBe(true);
  expect((await client.patch<Listener>(one, { version: null, compute_config: null })).body.version).toBe(
    "2.0",
  );

  expect(listenersList.parse((await client.get(path)).body)).toMatchObject({
    resources: [{ id: created.body.id }],
    offset: 1,
  });
  expect((await client.delete(one)).status).toBe(204);
  for (const answer of [await client.get(one), await client.patch(one, {}), await client.delete(one)])
    expect(answer).toMatchObject({
      status: 404,
      body: { detail: `Listener ID ${created.body.id} not found.` },
    });
});

test("allows one listener per workspace and compute ID", async () => {
  const { client, plane } = await start({
    organizations: [{ name: "one", apiKeys: ["key"], tenants: ["a", "b"] }],
  });
  const { id } = (await client.post<Listener>(path, body)).body;
  expect(await client.post(path, body)).toMatchObject({
    status: 409,
    body: { detail: "Listener for LangSmith workspace ID 'a' and compute ID 'cluster' already exists." },
  });
  const other = clientOf(plane, { "X-Tenant-Id": "b" });
  expect((await other.post(path, body)).status).toBe(201);
  expect((await other.get(`${path}/${id}`)).status).toBe(404);
  expect((await other.delete(`${path}/${id}`)).status).toBe(404);
  expect((await other.get<Resources<Listener>>(path)).body.resources).toHaveLength(1);
  await client.delete(`${path}/${id}`);
  expect((await client.post(path, body)).status).toBe(201);
});

test("rejects changes to the compute type and the compute ID", async () => {
  const { client } = await start();
  const { id } = (await client.post<Listener>(path, body)).body;
  expect((await client.patch<Listener>(`${path}/${id}`, { ...body, version: "3" })).body.version).toBe("3");
  const refused = await client.patch<Refused>(`${path}/${id}`, { compute_id: "else", version: "4" });
  expect([refused.status, refused.body.detail]).toEqual([
    400,
    expect.stringContaining("'compute_id' cannot be changed"),
  ]);
  expect((await client.patch(`${path}/${id}`, { compute_type: "vm" })).status).toBe(400);
  expect((await client.get<Listener>(`${path}/${id}`)).body.version).toBe("3");
});

test("rejects listeners in organizations that are not on the self-hosted enterprise plan", async () => {
  const { client, plane } = await start({
    organizations: [{ name: "cloud", apiKeys: ["key"], tenants: ["a"], selfHostedEnterprise: false }],
  });
  const id = randomUUID();
  const detail =
    "Listeners cannot be created for LangSmith workspace ID 'a'. Creating listeners is only allowed for LangSmith " +
    "organizations with self-hosted enterprise plans.";
  for (const answer of [
    await client.post(path, body),
    await client.get(`${path}/${id}`),
    await client.patch(`${path}/${id}`, {}),
    await client.delete(`${path}/${id}`),
  ])
    expect(answer).toMatchObject({ status: 403, body: { detail } });
  expect((await client.get(path)).body).toEqual({ resources: [], offset: 0 });

  plane.admin.setSelfHostedEnterprise(true);
  expect((await client.post(path, body)).status).toBe(201);
  await plane.admin.reset();
  expect((await client.post(path, body)).status).toBe(403);
  expect(() => plane.admin.setSelfHostedEnterprise(true, "none")).toThrow("Organization 'none' not found");
});

test.each([
  [{ ...body, compute_type: "vm" }, "compute_type", "literal_error"],
  [{ ...body, compute_id: 1 }, "compute_id", "string_type"],
  [{ ...body, compute_config: undefined }, "compute_config", "missing"],
  [{ ...body, compute_config: { k8s_namespaces: "agents" } }, "k8s_namespaces", "list_type"],
])("rejects %j", async (sent, field, type) => {
  const { client } = await start();
  const answer = await client.post<Refused<FieldFault[]>>(path, sent);
  expect(answer.status).toBe(422);
  expect(answer.body.detail).toMatchObject([{ type }]);
  expect(answer.body.detail[0]!.loc.at(-1)).toBe(field);
});

test("checks the credentials before the body, and requires UUIDs as IDs", async () => {
  const { client, plane } = await start();
  expect((await clientOf(plane, { "X-Api-Key": "no" }).post(path, {})).status).toBe(401);
  expect((await clientOf(plane, { "X-Tenant-Id": "" }).get(path)).status).toBe(403);
  expect((await client.get<Refused<object[]>>(`${path}/7`)).body.detail).toMatchObject([
    { type: "uuid_parsing" },
  ]);
});

test("returns lists in pages and keeps them across a restart", async () => {
  const state = temporaryFolder();
  const before = await start({ state });
  for (const compute_id of ["a", "b", "c"]) await before.client.post(path, { ...body, compute_id });
  await before.plane.close();
  const { client } = await start({ state });
  const first = (await client.get<Resources<Listener>>(`${path}?limit=2`)).body;
  const second = (await client.get<Resources<Listener>>(`${path}?limit=2&offset=${first.offset}`)).body;
  const ids = [...first.resources, ...second.resources].map((one) => one.compute_id);
  expect([ids, second.offset]).toEqual([["a", "b", "c"], 3]);
});

test("changes the plan of an organization over HTTP", async () => {
  const { client } = await start({ admin: true });
  expect((await client.post("/admin/plan", { selfHostedEnterprise: false })).status).toBe(204);
  expect((await client.post(path, body)).status).toBe(403);
  expect(
    (await client.post("/admin/plan", { organization: "none", selfHostedEnterprise: true })).status,
  ).toBe(404);
});
