import type { Deployment, Resources } from "../answers";
import { clientOf, creation, start, stopAll } from "../control-plane/client";

afterEach(stopAll);

const path = "/v2/deployments";
const reset = { message: "fetch failed", cause: { code: "ECONNRESET" } };

test("injects a different response, with Retry-After, into only the next matching requests", async () => {
  const { client, plane } = await start();
  plane.admin.fault({
    kind: "status",
    method: "POST",
    path,
    status: 503,
    detail: "later",
    retryAfter: 7,
    times: 2,
  });
  expect((await client.get(path)).status).toBe(200);
  for (const prefix of ["", "/api-host"]) {
    const answer = await client.post(prefix + path, creation("agent"));
    expect(answer).toMatchObject({ status: 503, body: { detail: "later" } });
    expect(answer.headers.get("retry-after")).toBe("7");
  }
  expect((await client.get<Resources<Deployment>>(path)).body.resources).toEqual([]);
  expect((await client.post(path, creation("agent"))).status).toBe(201);
});

test("returns the body that a fault specifies", async () => {
  const { client, plane } = await start();
  plane.admin.fault({ kind: "status", status: 502, body: ["not", "ours"] });
  expect(await client.get(path)).toMatchObject({ status: 502, body: ["not", "ours"] });
});

test("returns an error status after making the requested change", async () => {
  const { client, plane } = await start();
  plane.admin.fault({ kind: "status", status: 504, when: "after" });
  expect((await client.post(path, creation("agent"))).status).toBe(504);
  expect((await client.get<Resources<Deployment>>(path)).body.resources).toHaveLength(1);
});

test.each([
  ["before", 0],
  ["after", 1],
] as const)("resets the connection %s making the requested change", async (when, made) => {
  const { client, plane } = await start();
  plane.admin.fault({ kind: "reset", when, method: "POST" });
  await expect(client.post(path, creation("agent"))).rejects.toMatchObject(reset);
  expect((await client.get<Resources<Deployment>>(path)).body.resources).toHaveLength(made);
  expect(plane.admin.journal({ writes: true })).toMatchObject([
    { method: "POST", status: 0, fault: "reset" },
  ]);
});

test("truncates the response after making the requested change", async () => {
  const { client, plane } = await start();
  plane.admin.fault({ kind: "truncate", method: "POST" });
  await expect(client.post(path, creation("agent"))).rejects.toThrow("terminated");
  expect((await client.get<Resources<Deployment>>(path)).body.resources).toHaveLength(1);
});

test("measures the delay of a response with the control plane's clock", async () => {
  const { client, clock, plane } = await start();
  plane.admin.fault({ kind: "delay", ms: 30_000, path });
  let answered = false;
  const answer = client.get(path).then((one) => {
    answered = true;
    return one;
  });
  while (plane.admin.journal().length === 0 && !answered) await clock.advance(10_000);
  expect((await answer).status).toBe(200);
  expect(clock.now()).toBeGreaterThanOrEqual(Date.UTC(2026, 0, 1) + 30_000);
});

test.each([
  ["/v2/deployments/:id", true],
  ["/api-host/v2/deployments/*", true],
  ["/v2/**", true],
  ["/v2/deployments", false],
  ["/v2/deployments/:id/revisions", false],
])("applies the path pattern %s to the path of a deployment: %s", async (pattern, strikes) => {
  const { client, plane } = await start();
  const { id } = (await client.post<Deployment>(path, creation("agent"))).body;
  plane.admin.fault({ kind: "status", status: 500, path: pattern });
  expect((await client.get(`${path}/${id}`)).status).toBe(strikes ? 500 : 200);
});

test("applies one fault per request, before access control and oldest first, until cleared", async () => {
  const { client, plane } = await start();
  for (const status of [500, 502, 503]) plane.admin.fault({ kind: "status", status });
  expect((await clientOf(plane, { "X-Api-Key": "" }).get(path)).status).toBe(500);
  expect((await client.get(path)).status).toBe(502);
  plane.admin.clearFaults();
  expect((await client.get(path)).status).toBe(200);
});

test("applies faults to /openapi.json, from which clients read the dialect", async () => {
  const { client, plane } = await start();
  plane.admin.fault({ kind: "status", status: 404, path: "/openapi.json" });
  expect((await client.get("/openapi.json")).status).toBe(404);
});

test("simulates a broken connection for requests without a socket by rejecting like fetch", async () => {
  const { plane } = await start();
  const headers = { "X-Api-Key": plane.apiKey, "X-Tenant-Id": plane.tenantId };
  const request = (): Request => new Request(plane.baseUrl + path, { headers });
  expect((await plane.fetch(request())).status).toBe(200);
  plane.admin.fault({ kind: "reset", when: "before" });
  plane.admin.fault({ kind: "reset", when: "after" });
  plane.admin.fault({ kind: "truncate" });
  for (let time = 0; time < 3; time++) await expect(plane.fetch(request())).rejects.toMatchObject(reset);
  expect(plane.admin.journal().map(({ status }) => status)).toEqual([200, 0, 0, 0]);
});
