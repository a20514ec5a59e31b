import { agentFiles, slowAnswerer } from "../../rollout/agents";
import { Repository, temporaryFolder } from "../../rollout/repository";
import { type ControlPlane, startControlPlane } from "../../../../emulator/index";
import { Client } from "../../control-plane/client";
import { deploy } from "../deployment";

let plane: ControlPlane;
let url: string;
let client: Client;

// The path is absolute because the project does not install any packages.
const own = `
import hono from ${JSON.stringify(require.resolve("hono"))};
const { Hono } = hono;
export const app = new Hono()
  .put("/threads", (c) => c.text("mine"))
  .get("/gone", (c) => c.text("gone", 404))
  .get("/thirteen", (c) => c.text("13 characters", 404));
`;

beforeAll(async () => {
  plane = await startControlPlane({ rollout: "real", state: temporaryFolder("state") });
  const files = { ...agentFiles(slowAnswerer, { http: { app: "./src/own.ts:app" } }), "src/own.ts": own };
  url = await deploy(plane, new Repository(files), "unknown");
  client = new Client(url, { "X-Api-Key": plane.apiKey });
});
afterAll(() => plane.close());

test.each(["/", "/nope", "/threads/x/nope"])(
  "returns 404 in the documented format for the unknown path %s",
  async (path) => {
    const { status, body } = await client.get(path);
    expect([status, body]).toEqual([404, { detail: "Not Found" }]);
  },
);

test.each([
  ["DELETE", "/threads", "POST"],
  ["PATCH", "/threads/00000000-0000-4000-8000-000000000000/state", "GET, POST"],
  ["GET", "/threads/00000000-0000-4000-8000-000000000000/commands", "POST"],
  ["PUT", "/ok", "GET"],
])("rejects an unsupported method on a known path: %s %s", async (method, path, allow) => {
  const refused = await fetch(url + path, { method, headers: { "x-api-key": plane.apiKey } });
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, allow]);
  expect(await refused.json()).toEqual({ detail: "Method Not Allowed" });
});

test("returns responses from the project's own routes unchanged", async () => {
  const put = await fetch(`${url}/threads`, { method: "PUT", headers: { "x-api-key": plane.apiKey } });
  expect([put.status, await put.text()]).toEqual([200, "mine"]);
  expect(await client.get("/gone")).toMatchObject({ status: 404, body: "gone" });
  expect(await client.get("/thirteen")).toMatchObject({ status: 404, body: "13 characters" });
});

test.each(["/runs/wait", "/mcp", "/threads"])(
  "rejects a body that is nested too deeply in a request to %s",
  async (path) => {
    const body = `{"assistant_id":"agent","input":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    const headers = {
      "x-api-key": plane.apiKey,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const refused = await fetch(url + path, { method: "POST", headers, body });
    expect([refused.status, Object.keys((await refused.json()) as object)]).toEqual([
      path === "/mcp" ? 400 : 422,
      ["detail"],
    ]);
  },
);

test.each(["stated", "chunked"])("rejects an oversized body while reading it: %s", async (how) => {
  const blob = new Blob([new Uint8Array(26 * 1024 * 1024)]);
  const refused = await fetch(`${url}/runs/wait`, {
    method: "POST",
    headers: { "x-api-key": plane.apiKey },
    body: how === "stated" ? blob : blob.stream(),
    duplex: "half",
  });
  expect([refused.status, await refused.json()]).toEqual([
    413,
    { detail: "The body is larger than 25 MiB." },
  ]);
});

test("leaves no thread after a rejected create request, but keeps an existing thread", async () => {
  const supersteps = [{ updates: [{ values: { messages: [] }, as_node: "answer" }] }];
  const before = (await client.post("/threads/count", {})).body;
  const asked = crypto.randomUUID();
  for (const body of [{ supersteps }, { supersteps, thread_id: asked }])
    expect((await client.post("/threads", body)).status).toBe(400);
  expect((await client.post("/threads/count", {})).body).toBe(before);
  await client.post("/threads", { thread_id: asked });
  const again = { supersteps, thread_id: asked, if_exists: "do_nothing" };
  expect((await client.post("/threads", again)).status).toBe(400);
  expect((await client.post("/threads", { supersteps, thread_id: asked })).status).toBe(409);
  expect((await client.get(`/threads/${asked}`)).status).toBe(200);
});
