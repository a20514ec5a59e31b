import type { Run, Thread, ThreadState } from "../../answers";
import { agentFiles, slowAnswerer } from "../../rollout/agents";
import { Repository, temporaryFolder } from "../../rollout/repository";
import { type ControlPlane, startControlPlane, VirtualClock } from "../../../../emulator/index";
import { Client } from "../../control-plane/client";
import { saying } from "../agent";
import { deploy, until } from "../deployment";

const clock = new VirtualClock();
let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ rollout: "real", state: temporaryFolder("state"), clock });
});
afterAll(() => plane.close());

// The path is absolute because the project does not install any packages.
const own = `
import hono from ${JSON.stringify(require.resolve("hono"))};
const { Hono } = hono;
export const app = new Hono().get("/mine", (c) => c.text("mine")).get("/broken", (c) => c.text("as I like", 400));
`;
const guard = `
import { Auth, HTTPException } from "@langchain/langgraph-sdk/auth";
export const auth = new Auth().authenticate(async (request) => {
  const token = request.headers.get("authorization");
  if (token !== "Bearer mine") throw new HTTPException(401, { message: "not mine" });
  return { identity: "me", permissions: [] };
});
`;

test("serves the project's own routes, and does not serve routes that the project disables", async () => {
  const http = { app: "./src/own.ts:app", disable_meta: true, disable_mcp: true, disable_a2a: true };
  const files = { ...agentFiles(slowAnswerer, { http }), "src/own.ts": own };
  const client = new Client(await deploy(plane, new Repository(files), "own-routes"), {
    "X-Api-Key": plane.apiKey,
  });
  expect(await client.get("/mine")).toMatchObject({ status: 200, body: "mine" });
  expect(await client.get("/broken")).toMatchObject({ status: 400, body: "as I like" });
  expect((await client.get("/ok")).body).toEqual({ ok: true });
  for (const path of ["/info", "/metrics", "/docs", "/openapi.json", "/.well-known/agent-card.json"])
    expect([path, (await client.get(path)).status]).toEqual([path, 404]);
  expect((await client.post("/mcp/", {})).status).toBe(404);
  expect((await client.post("/a2a/agent", {})).status).toBe(404);
});

test("applies the project's own authentication, and still runs its crons", async () => {
  const files = {
    ...agentFiles(slowAnswerer, { auth: { path: "./src/auth.ts:auth" } }),
    "src/auth.ts": guard,
  };
  const url = await deploy(plane, new Repository(files), "guarded");
  const stranger = new Client(url, { "X-Api-Key": plane.apiKey });
  const client = new Client(url, { "X-Api-Key": plane.apiKey, authorization: "Bearer mine" });
  expect((await stranger.get("/ok")).body).toEqual({ ok: true });
  expect(await stranger.post("/threads", {})).toMatchObject({ status: 401, body: { detail: "not mine" } });
  const { thread_id: thread } = (await client.post<Thread>("/threads")).body;
  expect((await stranger.get(`/threads/${thread}/stream`)).status).toBe(401);
  expect((await stranger.post("/threads/prune", { thread_ids: [thread] })).body).toEqual({ pruned_count: 0 });
  await client.post(`/threads/${thread}/runs/crons`, { ...saying("tick"), schedule: "* * * * *" });
  await clock.advance(60_000);
  await until(
    () => client.get<Run[]>(`/threads/${thread}/runs`),
    ({ body }) => body[0]?.status === "success",
  );
});

test("forwards the newer protocol to the runtime", async () => {
  const client = new Client(await deploy(plane, new Repository(agentFiles(slowAnswerer)), "plain"), {
    "X-Api-Key": plane.apiKey,
  });
  const { thread_id: thread } = (await client.post<Thread>("/threads")).body;
  const params = { assistant_id: "agent", input: { messages: [{ role: "user", content: "hi" }] } };
  const started = await client.post(`/threads/${thread}/commands`, { id: 1, method: "run.start", params });
  expect(started).toMatchObject({ status: 200, body: { type: "success", id: 1 } });
  await until(
    () => client.get<ThreadState>(`/threads/${thread}/state`),
    ({ body }) => body.values.messages?.at(-1)?.content === "heard hi",
  );
});
