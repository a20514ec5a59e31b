import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve, type ServerType } from "@hono/node-server";
import { createGateway } from "../../../../emulator/gateway/index";

// A response with the actual size limit would take a minute.
jest.mock("../../../../emulator/bounded-bytes", () => ({
  ...jest.requireActual<object>("../../../../emulator/bounded-bytes"),
  mostHeldBytes: 1024 * 1024,
}));
const detail = "The response of the agent server is larger than 1 MiB.";

let agent: Server;
let internalApi: Server;
let gateway: ServerType;
let url: string;
let status = 200;
let type = "application/json";
/** Number of connections on which the agent is still sending a response. */
let sending = 0;

const originOf = (server: Server | ServerType) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  const endless = Buffer.alloc(1024 * 1024, " ");
  agent = createServer((_request, response) => {
    sending += 1;
    response.writeHead(status, { "content-type": type, "content-location": "/threads/t/runs/r" });
    const send = () => {
      while (response.write(endless));
    };
    response.on("drain", send).on("close", () => (sending -= 1));
    response.write("data: ");
    send();
  });
  const facts = { graphs: ["agent"], http: {}, own_authentication: false, workers: 1, queue: {} };
  internalApi = createServer((_request, response) => response.end(JSON.stringify(facts)));
  for (const server of [agent, internalApi])
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const inner = { origin: originOf(internalApi), token: "token", documented: true };
  const lookup = () => ({ kind: "serving" as const, origin: originOf(agent), internalApi: inner });
  const { routes } = createGateway({ lookup, dataFolder: () => "/nonexistent" });
  await new Promise<void>((resolve) => {
    gateway = serve({ fetch: routes.fetch, port: 0, hostname: "127.0.0.1" }, () => resolve());
  });
  url = `${originOf(gateway)}/agents/one`;
});

afterAll(() => {
  for (const server of [gateway, agent, internalApi]) server.close();
});

const ask = (method: string, path: string, body?: unknown) =>
  fetch(url + path, {
    method,
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const thread = "0b5c2a48-1c3e-4ad2-9d6e-5b2d0f3d0000";
const call = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
const parts = [{ kind: "text", text: "hi" }];
const message = { role: "user", parts, messageId: "1", contextId: thread };

async function agentIsDone(): Promise<void> {
  while (sending > 0) await new Promise((resolve) => setImmediate(resolve));
}

test.each<[string, string, unknown]>([
  ["GET", "/info", undefined],
  ["GET", `/threads/${thread}/runs/${thread}`, undefined],
  ["POST", "/threads/search", {}],
  ["POST", "/threads", {}],
  ["GET", "/store/items?namespace=a&key=b", undefined],
  ["POST", "/mcp/", call("tools/call", { name: "agent", arguments: {} })],
  ["GET", "/.well-known/agent-card.json?assistant_id=agent", undefined],
])("returns 502 if the agent's response to %s %s is endless", async (method, path, body) => {
  const answer = await ask(method, path, body);
  expect([answer.status, await answer.json()]).toEqual([502, { detail }]);
  await agentIsDone();
});

test("reports an endless response in the A2A format", async () => {
  const answer = await ask("POST", "/a2a/agent", call("message/send", { message }));
  expect(await answer.text()).toContain(detail);
  await agentIsDone();
});

test.each([
  ["GET", "/info"],
  ["POST", "/threads/count"],
])("returns 502 if the agent's error response to %s %s is endless", async (method, path) => {
  [status, type] = [400, "text/plain"];
  const answer = await ask(method, path, method === "POST" ? {} : undefined);
  [status, type] = [200, "application/json"];
  expect([answer.status, await answer.json()]).toEqual([502, { detail }]);
  await agentIsDone();
});

test("stops reading an endless run result, and returns an error", async () => {
  const answer = await ask("POST", "/runs/wait", { assistant_id: "agent", input: {} });
  expect(await answer.json()).toEqual({ __error__: { error: "AnswerTooLarge", message: detail } });
  await agentIsDone();
});

test("ends a stream with an error if an event is endless", async () => {
  type = "text/event-stream";
  const answer = await ask("POST", "/runs/stream", { assistant_id: "agent", input: {} });
  type = "application/json";
  const error = JSON.stringify({ error: "AnswerTooLarge", message: detail });
  expect(await answer.text()).toBe(`event: error\ndata: ${error}\n\n`);
  await agentIsDone();
});
