import { connect } from "node:net";
import type { ControlPlane } from "../../../../emulator/index";
import type { Deployment } from "../../answers";
import { start, stopAll } from "../client";
import { OpenAgents } from "../access/open-agents";
import { archiveOf } from "../uploads/archive";

afterEach(stopAll);

interface Raw {
  method: string;
  /** Target in the request line, which is sent unchanged. */
  target: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** Sends a request without normalizing its path, unlike HTTP clients. Resolves with the status. */
function send(plane: ControlPlane, { method, target, headers = {}, body }: Raw): Promise<number> {
  const { host, hostname, port } = new URL(plane.baseUrl);
  const all = {
    Host: host,
    Connection: "close",
    ...(body && { "Content-Length": String(body.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname);
    socket.setEncoding("latin1").on("data", (text: string) => (answer += text));
    socket.on("error", reject).on("close", () => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1])));
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
    if (body) socket.write(body);
  });
}

const encoded = (text: string) => text.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** Returns equivalent spellings of a path (RFC 3986, 6.2.2), keyed by name. */
function equivalents(path: string): Record<string, string> {
  const [, first = "", ...rest] = path.split("/");
  const tail = rest.map((part) => `/${part}`).join("");
  return {
    "one encoded letter": `/${encoded(first[0]!)}${first.slice(1)}${tail}`,
    "encoded letters": `/${encoded(first)}${rest.map((part) => `/${encoded(part)}`).join("")}`,
    "encoded letters in upper case": `/${encoded(first).toUpperCase()}${tail}`,
    "a dot segment": `/.${path}`,
    "a double dot segment": `/page/..${path}`,
    "an encoded double dot segment": `/page/%2e%2E${path}`,
    "an encoded dot segment": `/%2e${path}`,
  };
}

/** Returns similar spellings that refer to other paths, keyed by name. */
function others(path: string): Record<string, string> {
  const [, first = "", ...rest] = path.split("/");
  const tail = rest.map((part) => `/${part}`).join("");
  return {
    "doubly encoded letters": `/%25${first.charCodeAt(0).toString(16)}${first.slice(1)}${tail}`,
    "an empty segment at the start": `/${path}`,
    "an encoded slash": `/${first}%2f${rest.join("/")}`,
    "a path parameter": `/${first};a=b${tail}`,
    "an encoded path parameter": `/${first}%3ba=b${tail}`,
    "a backslash": `/${first}\\${rest.join("\\")}`,
    "an encoded backslash": `/${first}%5c${rest.join("%5c")}`,
    "an encoded double dot segment with an encoded slash": `/page%2f..${path}`,
    "a NUL character": `/${first}%00${tail}`,
    "another case": `/${first.toUpperCase()}${tail}`,
    "a broken encoding": `/${first}%zz${tail}`,
  };
}

async function rig() {
  const runner = new OpenAgents((_received, response) => response.end("{}"));
  const all = await start({ runner, admin: true, dialect: "langsmith" });
  const body = {
    name: "agent",
    source: "github",
    source_config: { repo_url: "https://example.test/agent.git" },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
    secrets: [],
  };
  const { id } = (await all.client.post<Deployment>("/v2/deployments", body)).body;
  const uploaded = { ...body, name: "uploaded", source: "internal_source", source_config: {} };
  const of = (
    await all.client.post<Deployment>("/v2/deployments", { ...uploaded, source_revision_config: {} })
  ).body;
  const { upload_url } = (
    await all.client.post<{ upload_url: string }>(`/v2/deployments/${of.id}/upload-url`, {})
  ).body;
  await all.clock.advance(1);
  const { pathname, search } = new URL(upload_url);
  const key = { "X-Api-Key": all.plane.apiKey, "X-Tenant-Id": all.plane.tenantId };
  const ownHost = { Host: `${id}.localhost` };
  const archive = archiveOf({ "langgraph.json": "{}" });
  const get = { method: "GET", query: "", headers: {}, credentials: key };
  /** Kinds of routes, each with a path that requires credentials. */
  const classes = {
    "the admin API": { ...get, path: "/admin/journal" },
    "the public API": { ...get, path: "/v2/deployments" },
    "the public API under its prefix": { ...get, path: "/api-host/v2/deployments" },
    "one deployment": { ...get, path: `/v2/deployments/${id}/revisions` },
    listeners: { ...get, path: "/v2/listeners" },
    authentication: { ...get, path: "/v2/auth/providers" },
    "data for the web console": { ...get, path: `/page/v2/deployments/${id}` },
    "codes for the web console": { ...get, method: "POST", path: "/page/sign-in-codes" },
    "codes for an agent": { ...get, method: "POST", path: `/page/agents/${id}/sign-in-codes` },
    "an agent": { ...get, path: `/agents/${id}/threads` },
    "an agent at its own origin": { ...get, path: "/threads/x", headers: ownHost },
    uploads: {
      ...get,
      method: "PUT",
      path: pathname,
      query: search,
      headers: { "Content-Type": "application/gzip" },
      body: archive,
    },
  };
  return { ...all, runner, classes };
}

type Class = keyof Awaited<ReturnType<typeof rig>>["classes"];

const names: Class[] = [
  "the admin API",
  "the public API",
  "the public API under its prefix",
  "one deployment",
  "listeners",
  "authentication",
  "data for the web console",
  "codes for the web console",
  "codes for an agent",
  "an agent",
  "an agent at its own origin",
  "uploads",
];

test.each(names)("routes requests for %s based only on the normalized path", async (name) => {
  const { plane, classes } = await rig();
  const { path, query, method, headers, credentials, ...body } = classes[name];
  const statusOf = (spelling: string, shown: Record<string, string>, end = query) =>
    send(plane, { method, target: spelling + end, headers: { ...headers, ...shown }, ...body });
  const isUpload = name === "uploads";
  const succeeds = await statusOf(path, credentials);
  expect([200, 201]).toContain(succeeds);
  const refused = isUpload ? 403 : 401;
  for (const [spelling, target] of Object.entries(equivalents(path))) {
    expect([spelling, await statusOf(target, credentials)]).toEqual([spelling, succeeds]);
    expect([spelling, await statusOf(target, {}, isUpload ? "" : query)]).toEqual([spelling, refused]);
  }
  const isOwnOrigin = name === "an agent at its own origin";
  for (const [spelling, target] of Object.entries(others(path))) {
    const status = await statusOf(target, {}, isUpload ? "" : query);
    expect([spelling, [400, 401, 403, 404].includes(status)]).toEqual([spelling, true]);
    // An agent may serve any path.
    if (!isOwnOrigin && name !== "an agent")
      expect([spelling, [400, 403, 404].includes(await statusOf(target, credentials))]).toEqual([
        spelling,
        true,
      ]);
  }
});

test("forwards normalized paths to agents, and leaves the rest of the URL unchanged", async () => {
  const { plane, classes, runner } = await rig();
  const { path, credentials } = classes["an agent"];
  const sent = {
    "/a/%2e%2e/b": "/b",
    "/%74hreads": "/threads",
    "/a%2fb": "/a%2Fb",
    "/%2573": "/%2573",
    "//a": "//a",
    "/a;b=c": "/a;b=c",
    "/a%00": "/a%00",
    "/a?b=%2e%41": "/a?b=%2e%41",
  };
  const base = path.replace("/threads", "");
  runner.received.length = 0;
  for (const target of Object.keys(sent))
    await send(plane, { method: "GET", target: base + target, headers: credentials });
  expect(runner.received.map(({ request }) => request.url)).toEqual(Object.values(sent));
});

test("records requests and applies faults based on the normalized path", async () => {
  const { plane, classes } = await rig();
  const { credentials } = classes["the public API"];
  plane.admin.clearJournal();
  plane.admin.fault({ kind: "status", status: 503, path: "/v2/deployments" });
  const target = "/%76%32/deploymen%74s";
  expect(await send(plane, { method: "GET", target, headers: credentials })).toBe(503);
  expect(plane.admin.journal().map(({ path }) => path)).toEqual(["/v2/deployments"]);
});

test("rejects targets that are not paths, and methods that cannot be forwarded", async () => {
  const { plane, classes } = await rig();
  const { credentials: headers, path } = classes["an agent"];
  const { host } = new URL(plane.baseUrl);
  for (const [method, target, status] of [
    ["GET", "http://evil.example/v2/deployments", 421],
    ["GET", `http://${host}/v2/deployments`, 200],
    ["OPTIONS", "*", 400],
    ["GET", "v2/deployments", 400],
    ["TRACE", path, 405],
    ["TRACE", "/v2/%64eployments", 405],
  ] as const)
    expect([method, target, await send(plane, { method, target, headers })]).toEqual([
      method,
      target,
      status,
    ]);
});
