import type { Message } from "@a2a-js/sdk";
import { type Running, runDeployment } from "./deployment";

let running: Running;
beforeAll(async () => {
  running = await runDeployment();
});

test("responds to invalid MCP requests with the documented statuses", async () => {
  const json = { accept: "application/json, text/event-stream" };
  const send = async (method: string, body?: unknown, headers: Record<string, string> = json) =>
    (await running.client.send(method, "/mcp/", body, headers)).status;
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  expect(await send("POST", ping)).toBe(200);
  expect(await send("POST", { jsonrpc: "2.0", method: "notifications/initialized" })).toBe(202);
  expect(await send("POST", ping, { accept: "application/json" })).toBe(400);
  expect(await send("POST", { id: 1 })).toBe(400);
  expect(await send("POST", "{")).toBe(400);
  expect(await send("GET")).toBe(405);
  expect(await send("DELETE")).toBe(404);
});

test("reports A2A errors as JSON-RPC errors", async () => {
  const ask = (body: unknown, path = "/a2a/agent", accept = "application/json") =>
    running.client.send("POST", path, body, { accept });
  const request = (method: string, params: unknown = {}) => ({ jsonrpc: "2.0", id: "1", method, params });
  const id = crypto.randomUUID();
  expect(await ask(request("tasks/cancel", { id }))).toMatchObject({
    status: 200,
    body: { error: { code: -32001 } },
  });
  expect(await ask(request("none"))).toMatchObject({ status: 400, body: { error: { code: -32601 } } });
  expect(await ask(request("message/send"))).toMatchObject({
    status: 400,
    body: { error: { code: -32602 } },
  });
  expect(await ask({ id: 1 })).toMatchObject({ status: 400, body: { error: { code: -32600 } } });
  expect(await ask("{")).toMatchObject({ status: 400, body: { error: { code: -32600 } } });
  const message: Partial<Message> & object = { messageId: "m", parts: [] };
  expect((await ask(request("message/stream", { message }))).status).toBe(400);
  const file = { message: { role: "user", messageId: "m", parts: [{ kind: "file", file: { uri: "x:y" } }] } };
  expect(await ask(request("message/send", file))).toMatchObject({ body: { error: { code: -32005 } } });
  expect((await ask(request("tasks/get"), "/a2a/none")).status).toBe(404);
});
