import { type Message, SendMessageRequest, type StreamResponse, type Task } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import type { ThreadState } from "../answers";
import { type Running, runDeployment } from "./deployment";

// Only signed cards need it, and jest cannot load it.
jest.mock("jose", () => ({}));

let running: Running;
let client: Client;
beforeAll(async () => {
  running = await runDeployment();
  const fetchImpl: typeof fetch = (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-api-key", running.plane.apiKey);
    return fetch(url, { ...init, headers });
  };
  // The documented methods are those of version 0.3 of the protocol.
  const legacyCompat = { enabled: true };
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl, legacyCompat }),
    }),
  );
  client = await factory.createFromUrl(`${running.url}/.well-known/agent-card.json?assistant_id=agent`, "");
});

const saying = (text: string, contextId?: string) =>
  SendMessageRequest.fromJSON({
    message: {
      messageId: crypto.randomUUID(),
      role: "ROLE_USER",
      parts: [{ text }],
      ...(contextId ? { contextId } : {}),
    },
  });
const textOf = ({ artifacts }: Task) => {
  const { content } = artifacts[0]!.parts[0]!;
  return content?.$case === "text" ? content.value : undefined;
};

describe("A2A, with the official client", () => {
  test("message/send and tasks/get; a context keeps what was said", async () => {
    const first = (await client.sendMessage(saying("hi"))) as Task;
    expect(textOf(first)).toBe("heard hi");
    const second = (await client.sendMessage(saying("again", first.contextId))) as Task;
    expect(second.contextId).toBe(first.contextId);
    const { body } = await running.client.get<ThreadState>(`/threads/${first.contextId}/state`);
    expect(body.values.messages.map(({ content }) => content)).toEqual([
      "hi",
      "heard hi",
      "again",
      "heard again",
    ]);
    const found = await client.getTask({ tenant: "", id: second.id, historyLength: 2 });
    expect([found.id, textOf(found), found.history.length]).toEqual([second.id, "heard again", 2]);
    await expect(client.getTask({ tenant: "", id: crypto.randomUUID() })).rejects.toThrow("Task not found");
  });

  test("message/stream: the task, what is said, the end", async () => {
    const seen: StreamResponse[] = [];
    for await (const event of client.sendMessageStream(saying("hi"))) seen.push(event);
    const kinds = seen.map(({ payload }) => payload!.$case);
    expect(kinds[0]).toBe("task");
    expect(kinds).toContain("artifactUpdate");
    expect(kinds.at(-1)).toBe("statusUpdate");
    expect(JSON.stringify(seen)).toContain("heard hi");
  });
});

test("faults are reported in the words of JSON-RPC", async () => {
  const ask = (body: unknown, path = "/a2a/agent", accept = "application/json") =>
    running.client.send("POST", path, body, { accept });
  const request = (method: string, params: unknown = {}) => ({ jsonrpc: "2.0", id: "1", method, params });
  expect(await ask(request("tasks/cancel"))).toMatchObject({
    status: 200,
    body: { error: { code: -32004 } },
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
  expect((await ask(request("tasks/get"), "/a2a/none")).status).toBe(404);
});
