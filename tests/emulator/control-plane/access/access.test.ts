import type { Deployment, Resources } from "../../answers";
import type { ControlPlaneOptions } from "../../../../emulator/index";
import { Client, creation, start, stopAll } from "../client";

afterEach(stopAll);

const organizations: ControlPlaneOptions["organizations"] = [
  { name: "acme", apiKeys: ["acme-key", "acme-spare"], tenants: ["acme-one", "acme-two"] },
  { name: "other", apiKeys: ["other-key"], tenants: ["other-one"] },
];

async function as(): Promise<(apiKey: string, tenantId: string) => Client> {
  const { plane } = await start({ organizations });
  return (apiKey, tenantId) => new Client(plane.baseUrl, { "X-Api-Key": apiKey, "X-Tenant-Id": tenantId });
}

test.each([
  ["no key", {}, 401, "Missing API key"],
  ["an unknown key", { "X-Api-Key": "wrong", "X-Tenant-Id": "acme-one" }, 401, "Invalid API key"],
  ["no tenant", { "X-Api-Key": "acme-key" }, 403, "requires workspace specification"],
  ["an unknown tenant", { "X-Api-Key": "acme-key", "X-Tenant-Id": "x" }, 403, "no access to the workspace"],
  [
    "another organization's tenant",
    { "X-Api-Key": "acme-key", "X-Tenant-Id": "other-one" },
    403,
    "no access to the workspace",
  ],
])("rejects a request before validation: %s", async (_what, headers, status, detail) => {
  const { plane } = await start({ organizations });
  const client = new Client(plane.baseUrl, headers);
  const id = "0b5c2a48-1c3e-4ad2-9d6e-5b2d0f3d0000";
  for (const [method, path] of [
    ["POST", "/v2/deployments"],
    ["GET", "/api-host/v2/deployments?limit=nonsense"],
    ["GET", "/v2/deployments/nonsense"],
    ["PATCH", `/v2/deployments/${id}`],
    ["DELETE", `/v2/deployments/${id}`],
    ["GET", `/v2/deployments/${id}/revisions`],
    ["GET", `/v2/deployments/${id}/revisions/${id}`],
    ["GET", `/v2/deployments/${id}/revisions/${id}/logs`],
  ] as const)
    expect(await client.send(method, path, method === "POST" ? "{broken" : undefined)).toMatchObject({
      status,
      body: { detail: expect.stringContaining(detail) },
    });
});

test("hides deployments from other tenants, even within an organization", async () => {
  const client = await as();
  const { id, latest_revision_id } = (
    await client("acme-key", "acme-one").post<Deployment>("/v2/deployments", creation("agent"))
  ).body;
  const path = `/v2/deployments/${id}`;
  for (const stranger of [client("acme-key", "acme-two"), client("other-key", "other-one")]) {
    expect((await stranger.get<Resources<Deployment>>("/v2/deployments")).body.resources).toEqual([]);
    for (const place of [path, `${path}/revisions`, `${path}/revisions/${latest_revision_id}`])
      expect((await stranger.get(place)).status).toBe(404);
    expect((await stranger.patch(path, { source_config: {} })).status).toBe(404);
    expect((await stranger.delete(path)).status).toBe(404);
  }
  expect((await client("acme-spare", "acme-one").get(path)).status).toBe(200);
});

test("requires unique names only within a tenant", async () => {
  const client = await as();
  for (const [key, tenant] of [
    ["acme-key", "acme-one"],
    ["acme-key", "acme-two"],
    ["other-key", "other-one"],
  ] as const)
    expect((await client(key, tenant).post("/v2/deployments", creation("agent"))).status).toBe(201);
});

test("rejects organizations that share a key or a tenant at startup", async () => {
  const twice = [...organizations, { name: "third", apiKeys: ["acme-key"], tenants: ["third-one"] }];
  await expect(start({ organizations: twice })).rejects.toThrow("belongs to both 'acme' and 'third'");
});

test("uses the key and the tenant that the options specify", async () => {
  const { plane, client } = await start({ apiKey: "my-key", tenantId: "my-tenant" });
  expect(plane).toMatchObject({ apiKey: "my-key", tenantId: "my-tenant" });
  expect((await client.get("/v2/deployments")).status).toBe(200);
});
