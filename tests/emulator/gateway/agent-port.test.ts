import { request } from "node:http";
import type { Thread } from "../answers";
import { agentFiles } from "../rollout/agents";
import { Repository } from "../rollout/repository";
import { Client } from "../control-plane/client";
import { deploy, portOf, type Running, runDeployment, until } from "./deployment";

let running: Running;
let port: URL;
beforeAll(async () => {
  running = await runDeployment();
  port = await portOf(running, running.url);
});

interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

/** Sends a request directly to the agent's port, like a program that has discovered the port. */
function ask({ method = "GET", path, headers = {}, body }: Asked) {
  return new Promise<{ status: number; allowedPages: string | undefined; text: string }>(
    (resolve, reject) => {
      const type = body ? { "content-type": "application/json" } : {};
      const asked = request(new URL(path, port), { method, headers: { ...type, ...headers } });
      asked.on("error", reject);
      asked.on("upgrade", (_answer, socket) => {
        socket.destroy();
        resolve({ status: 101, allowedPages: undefined, text: "" });
      });
      asked.on("response", (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => (text += part));
        const allowedPages = answer.headers["access-control-allow-origin"];
        answer.on("end", () => resolve({ status: answer.statusCode!, allowedPages, text }));
      });
      asked.end(body && JSON.stringify(body));
    },
  );
}

/** Sends a request without normalizing its path, and returns the status. */
function statusOf(path: string): Promise<number | undefined> {
  const { hostname, port: number } = port;
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port: number, path, method: "POST" }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on("error", reject).end();
  });
}

test.each([
  "/internal/truncate",
  "/%69nternal/truncate",
  "//internal/truncate",
  "/x/../internal/truncate",
  "/x/%2e%2e/internal/truncate",
  "/internal%2ftruncate",
  "/internal",
  "http://agent/internal/truncate",
])("returns 404 for the runtime's admin endpoint %s on the agent's port", async (path) => {
  // Any other path returns 401 without the control plane's token.
  expect(await statusOf(path)).toBe(404);
});

test.each(["/threads/%zz", "/%c3", "/internal%2ftruncate/%"])(
  "rejects the malformed percent-encoding in %s on the agent's port",
  async (path) => {
    expect(await statusOf(path)).toBe(400);
  },
);

const page = { host: "evil.example", origin: "http://evil.example" };

test.each<[string, Asked]>([
  ["a web page", { method: "POST", path: "/threads/search", headers: page, body: {} }],
  ["a program without a key", { method: "POST", path: "/threads/search", body: {} }],
  ["a control plane API key", { path: "/store/items?key=x", headers: { "x-api-key": "the plane's" } }],
  ["a token of the right length", { path: "/ok", headers: { "x-internal-api-token": "x".repeat(32) } }],
  ["a browser's preflight request", { method: "OPTIONS", path: "/threads", headers: { ...page } }],
  ["a health check", { path: "/ok" }],
  ["a nonexistent path", { path: "/nowhere" }],
  [
    "a web socket",
    {
      path: "/threads/x/stream/events",
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      },
    },
  ],
])("requires the control plane's token on an agent server's port: %s", async (_who, asked) => {
  const headers = { ...asked.headers };
  if ("x-api-key" in headers) headers["x-api-key"] = running.plane.apiKey;
  await running.client.post<Thread>("/threads");
  const answer = await ask({ ...asked, headers });
  expect([answer.status, answer.allowedPages]).toEqual([401, undefined]);
  expect(answer.text).not.toContain("thread_id");
});

test("requires the token for the project's own routes, but does not pass it to them", async () => {
  const app = `
import { Hono } from "hono";
let ended = 0;
export const app = new Hono()
  .get("/mine", (c) => c.json(c.req.header()))
  .post("/ended", (c) => c.json({ ended: ++ended }))
  .get("/ended", (c) => c.json({ ended }));
`;
  const graph = `
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
export const graph = new StateGraph(MessagesAnnotation)
  .addNode("answer", async () => ({ messages: [] })).addEdge("__start__", "answer").compile();
`;
  const files = {
    ...agentFiles(graph, { http: { app: "./src/app.ts:app" } }),
    "src/app.ts": app.replace("hono", require.resolve("hono")),
  };
  const url = await deploy(running.plane, new Repository(files), "with-routes");
  const own = new Client(url, { "X-Api-Key": running.plane.apiKey, "X-Mine": "yes" });
  const seen = await own.send<Record<string, string>>("GET", "/mine", undefined, {
    "x-internal-api-token": "a guess",
  });
  expect(seen.status).toBe(200);
  expect(seen.body).toMatchObject({ "x-mine": "yes" });
  expect(Object.keys(seen.body)).not.toContain("x-internal-api-token");
  await own.post("/runs/wait", { assistant_id: "agent", input: { messages: [] }, webhook: "/ended" });
  await until(
    () => own.get<{ ended: number }>("/ended"),
    ({ body }) => body.ended === 1,
  );
  const direct = await fetch(new URL("/mine", await portOf(running, url)));
  expect(direct.status).toBe(401);
});
