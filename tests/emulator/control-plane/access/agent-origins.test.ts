import { type IncomingHttpHeaders, request } from "node:http";
import type { ControlPlane } from "../../../../emulator/index";
import type { Deployment } from "../../answers";
import { Client, clientOf, creation, start, stopAll } from "../client";
import { OpenAgents } from "./open-agents";

afterEach(stopAll);

interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends a request for a host to the control plane, with the headers of a browser. */
function send(
  plane: ControlPlane,
  host: string,
  path: string,
  { method = "GET", ...headers }: Record<string, string> = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(plane.baseUrl + path, { method, headers: { ...headers, host } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode!, headers: answer.headers, text }));
    });
    sent.on("error", reject).end();
  });
}

const own = { "sec-fetch-site": "same-origin" };

/** Starts a control plane whose agents respond with the path and the headers of the request. */
async function rig(names: string[] = ["agent"], options: object = {}) {
  const runner = new OpenAgents(({ deploymentId, request: { url, headers } }, response) => {
    response.writeHead(200, {
      "content-type": "text/html",
      "service-worker-allowed": "/",
      "set-cookie": "a=1",
      "clear-site-data": '"*"',
      "access-control-allow-private-network": "true",
    });
    response.end(JSON.stringify({ deploymentId, url, headers }));
  });
  const all = await start({ runner, ...options });
  const ids: string[] = [];
  for (const name of names)
    ids.push((await all.client.post<Deployment>("/v2/deployments", creation(name))).body.id);
  await all.clock.advance(1);
  const port = new URL(all.plane.baseUrl).port;
  const hostOf = (id: string) => `${id}.localhost:${port}`;
  const codeFor = async (id: string, client: Client = all.client) => {
    const { status, body } = await client.post<{ code: string }>(`/page/agents/${id}/sign-in-codes`);
    return status === 201 ? body.code : String(status);
  };
  const signIn = (id: string, code: string, headers: Record<string, string> = own) =>
    send(all.plane, hostOf(id), "/.agentserver/sign-in", {
      method: "POST",
      "x-sign-in-code": code,
      ...headers,
    });
  return { ...all, runner, ids, hostOf, codeFor, signIn };
}

const cookieOf = ({ headers }: RawAnswer) => headers["set-cookie"]![0]!.split(";")[0]!;

test("serves only the agent, and no part of the control plane, at the agent's origin", async () => {
  const { plane, ids, hostOf } = await rig();
  const key = { "x-api-key": plane.apiKey, "x-tenant-id": plane.tenantId };
  for (const path of ["/", "/docs", "/page/facts", "/v2/deployments", "/admin/journal", "/a%2fb?x=%41"]) {
    expect([path, (await send(plane, hostOf(ids[0]!), path)).status]).toEqual([path, 401]);
    const { status, text } = await send(plane, hostOf(ids[0]!), path, key);
    const got = JSON.parse(text) as object;
    expect([status, got]).toEqual([
      200,
      expect.objectContaining({ deploymentId: ids[0], url: path.replace("%2f", "%2F") }),
    ]);
  }
  expect((await send(plane, hostOf(ids[0]!), "/ok")).status).toBe(200);
  expect((await send(plane, hostOf(crypto.randomUUID()), "/ok")).status).toBe(404);
  expect((await send(plane, `${ids[0]!}.evil.example`, "/ok")).status).toBe(421);
});

test("serves an agent at a subdomain of an allowed host, named after the deployment's ID", async () => {
  const { plane, ids } = await rig(["agent"], { allowedHosts: ["plane.example"] });
  expect((await send(plane, `${ids[0]!}.plane.example`, "/docs")).status).toBe(401);
  expect((await send(plane, `${ids[0]!}.plane.example`, "/ok")).status).toBe(200);
  expect((await send(plane, `other.plane.example`, "/ok")).status).toBe(421);
});

test("removes headers that affect an origin, and sandboxes only documents under agent paths", async () => {
  const { plane, ids, hostOf } = await rig();
  const origin = await send(plane, hostOf(ids[0]!), "/ok");
  const path = await send(plane, new URL(plane.baseUrl).host, `/agents/${ids[0]!}/ok`);
  for (const { headers } of [origin, path]) {
    for (const name of ["service-worker-allowed", "set-cookie", "clear-site-data"])
      expect(headers).not.toHaveProperty(name);
    expect(headers["x-content-type-options"]).toBe("nosniff");
  }
  expect(path.headers["content-security-policy"]).toBe("sandbox; frame-ancestors 'none'");
  expect(origin.headers).not.toHaveProperty("content-security-policy");
  for (const [host, at] of [
    [hostOf(ids[0]!), "/ok"],
    [new URL(plane.baseUrl).host, `/agents/${ids[0]!}/ok`],
  ] as const)
    expect((await send(plane, host, at, { "service-worker": "script" })).status).toBe(403);
});

test("accepts a code once, for a twelve-hour session with one agent", async () => {
  const { plane, ids, clock, hostOf, codeFor, signIn } = await rig(["agent", "other"]);
  const [agent, other] = ids as [string, string];
  const code = await codeFor(agent);
  const signedIn = await signIn(agent, code);
  expect(signedIn.status).toBe(204);
  expect(signedIn.headers["set-cookie"]![0]).toMatch(/; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
  expect(signedIn.headers["set-cookie"]![0]).not.toContain(plane.apiKey);
  expect((await signIn(agent, code)).status).toBe(403);
  const cookie = cookieOf(signedIn);
  const statusAt = async (id: string, headers: Record<string, string>) =>
    (await send(plane, hostOf(id), "/docs", { cookie, ...headers })).status;
  expect(await statusAt(agent, own)).toBe(200);
  expect(await statusAt(agent, { "sec-fetch-site": "none" })).toBe(200);
  for (const site of ["same-site", "cross-site", ""])
    expect([site, await statusAt(agent, { "sec-fetch-site": site })]).toEqual([site, 401]);
  expect(await statusAt(agent, {})).toBe(401);
  expect(await statusAt(other, own)).toBe(401);
  const form = { host: new URL(plane.baseUrl).host, path: `/agents/${agent}/docs` };
  expect((await send(plane, form.host, form.path, { cookie, ...own })).status).toBe(401);
  await clock.advance(12 * 60 * 60_000);
  expect(await statusAt(agent, own)).toBe(401);
});

test("rejects expired codes, codes of other agents, and requests from other origins", async () => {
  const { ids, clock, codeFor, signIn } = await rig(["agent", "other"]);
  const [agent, other] = ids as [string, string];
  expect((await signIn(agent, await codeFor(other))).status).toBe(403);
  for (const site of ["same-site", "cross-site", "none", ""]) {
    const { status, text } = await signIn(agent, await codeFor(agent), { "sec-fetch-site": site });
    expect([status, text]).toEqual([403, expect.stringContaining("Sec-Fetch-Site")]);
  }
  const code = await codeFor(agent);
  await clock.advance(10 * 60_000);
  const late = await signIn(agent, code);
  expect([late.status, late.text]).toEqual([403, expect.stringContaining("older than ten minutes")]);
});

test("creates codes only for callers with access to the deployment", async () => {
  const { plane, ids, codeFor } = await rig(["agent"], {
    organizations: [
      { name: "a", apiKeys: ["a"], tenants: ["a"] },
      { name: "b", apiKeys: ["b"], tenants: ["b"] },
    ],
  });
  expect(await codeFor(ids[0]!, clientOf(plane, { "X-Api-Key": "b", "X-Tenant-Id": "b" }))).toBe("404");
  expect(await codeFor(ids[0]!, new Client(plane.baseUrl, {}))).toBe("401");
});

test("removes the session cookie from requests, and all cookies under agent paths", async () => {
  const { plane, ids, hostOf, codeFor, signIn, runner } = await rig();
  const [id] = ids as [string];
  const session = cookieOf(await signIn(id, await codeFor(id)));
  const authorization = "Bearer of-the-project";
  await send(plane, hostOf(id), "/x", { cookie: `a=1; ${session}; b=2`, authorization, ...own });
  const key = { "x-api-key": plane.apiKey };
  await send(plane, new URL(plane.baseUrl).host, `/agents/${id}/x`, { cookie: `a=1; ${session}`, ...key });
  const headers = runner.received.map(({ request: { headers } }) => [headers.cookie, headers.authorization]);
  expect(headers).toEqual([
    ["a=1; b=2", authorization],
    [undefined, undefined],
  ]);
});

test("shows a browser without a session how to open the agent", async () => {
  const { plane, ids, hostOf } = await rig();
  for (const [host, path] of [
    [hostOf(ids[0]!), "/docs"],
    [new URL(plane.baseUrl).host, `/agents/${ids[0]!}/docs`],
  ] as const) {
    const { status, headers, text } = await send(plane, host, path, { "sec-fetch-mode": "navigate" });
    expect(status).toBe(401);
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(text).toContain("select the deployment in the control plane&#39;s web console");
  }
});

test("rejects requests to the control plane from pages that agents serve", async () => {
  const { plane, ids, hostOf } = await rig(["agent"], { admin: true });
  const { host } = new URL(plane.baseUrl);
  const keys = { "x-api-key": plane.apiKey, "x-tenant-id": plane.tenantId };
  for (const origin of [`http://${hostOf(ids[0]!)}`, "http://other.localhost:1", "null"])
    for (const path of ["/page/facts", "/v2/deployments", "/admin/journal", "/ok"])
      expect([path, (await send(plane, host, path, { ...keys, origin })).status]).toEqual([path, 403]);
  for (const origin of [plane.baseUrl, "https://studio.example"])
    expect((await send(plane, host, "/page/facts", { ...keys, origin })).status).toBe(200);
  const agent = await send(plane, host, `/agents/${ids[0]!}/x`, {
    ...keys,
    origin: "http://other.localhost:1",
  });
  expect(agent.status).toBe(200);
});

test("accepts requests from public pages only if their origins are allowed", async () => {
  const { plane, ids, hostOf } = await rig(["agent"], { allowedOrigins: ["https://studio.example"] });
  const allowed = async (host: string, path: string, origin: string, asks = "true") =>
    (
      await send(plane, host, path, {
        method: "OPTIONS",
        origin,
        "access-control-request-method": "POST",
        "access-control-request-private-network": asks,
      })
    ).headers["access-control-allow-private-network"];
  for (const [host, path] of [
    [hostOf(ids[0]!), "/threads"],
    [new URL(plane.baseUrl).host, `/agents/${ids[0]!}/threads`],
  ] as const) {
    expect(await allowed(host, path, "https://studio.example")).toBe("true");
    expect(await allowed(host, path, "https://studio.example", "false")).toBeUndefined();
    for (const origin of ["https://evil.example", "http://studio.example", "https://studio.example:444"])
      expect([origin, await allowed(host, path, origin)]).toEqual([origin, undefined]);
  }
  await expect(start({ allowedOrigins: ["https://studio.example/"] })).rejects.toThrow("is not an origin");
});
