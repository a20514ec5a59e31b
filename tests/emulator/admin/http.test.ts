import type { Authentication, Deployment, Refused, Resources, Revision } from "../answers";
import { Client, creation, creationIn, start, stopAll } from "../control-plane/client";

afterEach(stopAll);

test("is disabled by default", async () => {
  const { client } = await start();
  for (const [method, path] of [
    ["GET", "/admin/journal"],
    ["POST", "/admin/reset"],
  ] as const)
    expect(await client.send(method, path)).toMatchObject({ status: 404, body: { detail: "Not Found" } });
});

test("requires an API key, but no tenant ID", async () => {
  const { plane } = await start({ admin: true });
  expect((await new Client(plane.baseUrl, {}).get("/admin/journal")).status).toBe(401);
  expect((await new Client(plane.baseUrl, { "X-Api-Key": "wrong" }).get("/admin/journal")).status).toBe(401);
  expect((await new Client(plane.baseUrl, { "X-Api-Key": plane.apiKey }).get("/admin/journal")).status).toBe(
    200,
  );
});

test("controls rollouts step by step, advances the time, and returns the journal", async () => {
  const { client } = await start({ admin: true });
  expect((await client.post("/admin/steering", { pace: "step by step" })).status).toBe(204);
  const { id, latest_revision_id } = (await client.post<Deployment>("/v2/deployments", creation("agent")))
    .body;
  expect((await client.post("/admin/deployments/agent/step")).body).toEqual({ status: "AWAITING_BUILD" });
  expect(
    (await client.post<{ status: string }>(`/admin/deployments/${id}/step`, { status: "PREHEATING" })).body
      .status,
  ).toBe("PREHEATING");
  const failed = { revisionId: latest_revision_id, status: "BUILD_FAILED", message: "no" };
  expect((await client.post("/admin/deployments/agent/status", failed)).status).toBe(204);
  expect((await client.post("/admin/steering", { pace: { afterSeconds: 60 } })).status).toBe(204);
  const pushed = await client.post<{ revisionId: string }>("/admin/deployments/agent/revisions", {
    sourceRevisionConfig: { repo_ref: "x" },
  });
  expect((await client.post("/admin/clock/advance", { ms: 60_000 })).status).toBe(204);
  const { body } = await client.get<Resources<Revision>>(`/v2/deployments/${id}/revisions`);
  expect(body.resources).toMatchObject([
    { id: pushed.body.revisionId, status: "DEPLOYED" },
    { id: latest_revision_id, status: "BUILD_FAILED", status_message: "no" },
  ]);
  const { entries } = (
    await client.get<{ entries: object[] }>("/admin/journal?writes=true&path=/v2/deployments")
  ).body;
  expect(entries).toMatchObject([{ method: "POST", path: "/v2/deployments" }]);
  expect((await client.delete("/admin/journal")).status).toBe(204);
  expect((await client.get("/admin/journal")).body).toEqual({ entries: [] });
});

test("injects faults, creates tokens, delays deletions, and resets", async () => {
  const { client } = await start({ admin: true });
  await client.post("/admin/faults", { kind: "status", status: 500, times: 5 });
  expect((await client.get("/v2/deployments")).status).toBe(500);
  expect((await client.delete("/admin/faults")).status).toBe(204);
  const seed = { userId: "ada", provider: "github", scopes: [], token: "seeded" };
  expect((await client.post("/admin/tokens", seed)).status).toBe(204);
  const request = { user_id: "ada", provider: "github", scopes: [] };
  expect((await client.post<Authentication>("/v2/auth/authenticate", request)).body.token).toBe("seeded");
  expect((await client.post("/admin/linger", { seconds: 60 })).status).toBe(204);
  const { id } = (await client.post<Deployment>("/v2/deployments", creation("agent"))).body;
  await client.delete(`/v2/deployments/${id}`);
  expect((await client.get<Deployment>(`/v2/deployments/${id}`)).body.status).toBe("AWAITING_DELETE");

  expect((await client.post("/admin/reset")).status).toBe(204);
  expect((await client.get<Resources<Deployment>>("/v2/deployments")).body.resources).toEqual([]);
  expect((await client.post<Authentication>("/v2/auth/authenticate", request)).body.status).toBe("pending");
  const pending = (await client.post<Authentication>("/v2/auth/authenticate", request)).body;
  expect((await client.post(`/admin/authentications/${pending.auth_id}/complete`)).status).toBe(204);
  expect((await client.post<Authentication>("/v2/auth/authenticate", request)).body.status).toBe("completed");
});

test.each([
  ["/admin/faults", { kind: "explode" }, 422],
  ["/admin/faults", { kind: "delay", ms: 1, tmes: 2 }, 422],
  ["/admin/steering", { pase: "at once" }, 422],
  ["/admin/steering", { verdict: "BUILDING" }, 400],
  ["/admin/steering", "{broken", 422],
  ["/admin/clock/advance", { ms: -1 }, 422],
  ["/admin/deployments/none/step", {}, 404],
  ["/admin/nothing", {}, 404],
])("rejects POST %s with the body %j, and returns a detail", async (path, body, status) => {
  const { client } = await start({ admin: true });
  const answer = await client.post<Refused>(path, body);
  expect(answer.status).toBe(status);
  expect(answer.body.detail).toBeDefined();
});

test("enables quirks, and creates orphaned tracing projects", async () => {
  const { client, plane } = await start({ admin: true, dialect: "langsmith" });
  const quirks = { orphanedTracingProjects: true, longNamesNeverReady: true, databaseSeconds: 60 };
  expect((await client.post("/admin/quirks", quirks)).status).toBe(204);
  expect((await client.post("/admin/quirks", { databaseSeconds: -1 })).status).toBe(422);
  expect((await client.post("/admin/quirks", { bearTrap: true })).status).toBe(422);
  const { body } = await client.post<Deployment>("/v2/deployments", creationIn("langsmith", "agent"));
  expect(body.status).toBe("AWAITING_DATABASE");
  const held = { name: "held", tenantId: plane.tenantId };
  expect((await client.post("/admin/tracing-projects", held)).status).toBe(204);
  expect((await client.post("/v2/deployments", creationIn("langsmith", "held"))).status).toBe(409);
  expect((await client.post("/admin/tracing-projects", { name: "x", tenantId: "nowhere" })).status).toBe(404);
});

test("delays both stages of a deletion", async () => {
  const { client, clock } = await start({ admin: true });
  await client.post("/admin/linger", { seconds: 60, finalSeconds: 60 });
  const { id } = (await client.post<Deployment>("/v2/deployments", creation("agent"))).body;
  await client.delete(`/v2/deployments/${id}`);
  await clock.advance(60_000);
  expect((await client.get<Deployment>(`/v2/deployments/${id}`)).body.status).toBe("AWAITING_FINAL_DELETE");
});

describe("administrator access", () => {
  const organizations = [
    { name: "acme", apiKeys: ["acme-key"], tenants: ["acme-one"] },
    { name: "other", apiKeys: ["other-key"], tenants: ["other-one"] },
  ];
  const journal = async (baseUrl: string, apiKey: string) => {
    const { status, body } = await new Client(baseUrl, { "X-Api-Key": apiKey }).get<Partial<Refused>>(
      "/admin/journal",
    );
    return [status, body.detail];
  };

  test("accepts only keys of the first organization when no admin key is set", async () => {
    const { plane } = await start({ admin: true, organizations });
    expect(await journal(plane.baseUrl, "acme-key")).toEqual([200, undefined]);
    expect(await journal(plane.baseUrl, "other-key")).toEqual([
      403,
      "The admin API accepts only API keys of the first organization.",
    ]);
    expect(await journal(plane.baseUrl, "unknown")).toEqual([401, "Invalid API key."]);
    const other = new Client(plane.baseUrl, { "X-Api-Key": "other-key", "X-Tenant-Id": "other-one" });
    await other.post("/v2/deployments", creation("agent"));
    for (const [method, path] of [
      ["POST", "/admin/reset"],
      ["POST", "/admin/faults"],
      ["DELETE", "/admin/journal"],
      ["POST", "/admin/deployments/agent/step"],
    ] as const)
      expect([path, (await other.send(method, path)).status]).toEqual([path, 403]);
    expect((await other.get<Resources<Deployment>>("/v2/deployments")).body.resources).toHaveLength(1);
  });

  test("accepts only the admin key when one is set", async () => {
    const { plane, client } = await start({ admin: true, organizations, adminKey: "admin-key" });
    expect(await journal(plane.baseUrl, "admin-key")).toEqual([200, undefined]);
    for (const apiKey of ["acme-key", "other-key"])
      expect(await journal(plane.baseUrl, apiKey)).toEqual([
        403,
        "The admin API has a separate key: send the admin key in X-Api-Key.",
      ]);
    for (const apiKey of ["admin", "admin-key-and-more", "unknown"])
      expect(await journal(plane.baseUrl, apiKey)).toEqual([401, "Invalid API key."]);
    // The admin key is not an API key.
    expect(
      (await client.send("GET", "/v2/deployments", undefined, { "x-api-key": "admin-key" })).status,
    ).toBe(401);
    await client.get("/v2/deployments?name=admin-key");
    expect(JSON.stringify(plane.admin.journal())).not.toContain("admin-key");
  });

  test.each([
    ["acme-key", "`adminKey` is also an organization's API key"],
    ["", "`adminKey` is empty"],
  ])("rejects %j as an admin key", async (adminKey, why) => {
    await expect(start({ admin: true, organizations, adminKey })).rejects.toThrow(why);
  });
});
