import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  withErrorTail,
  eventStream,
  type StreamFormat,
  delayedJson,
} from "../../../../emulator/gateway/request/truncated-stream";
import { sendToAgent } from "../../../../emulator/gateway/request/agent-request";

let answer: (response: ServerResponse) => void;
let agent: Server;

beforeAll(async () => {
  agent = createServer((_, response) => answer(response)).listen(0, "127.0.0.1");
  await once(agent, "listening");
});
afterAll(() => agent.close());

async function read(form: StreamFormat): Promise<string> {
  const url = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
  const signal = new AbortController().signal;
  return new Response(
    withErrorTail(await sendToAgent({ method: "GET", url, headers: {}, signal }), form),
  ).text();
}

/** Sends these parts as separate chunks, and then ends the stream or breaks the connection. */
async function send(response: ServerResponse, parts: string[], end: "ends" | "breaks off"): Promise<void> {
  for (const part of parts) await new Promise((sent) => response.write(part, sent));
  if (end === "ends") response.end();
  else response.destroy();
}

const error = { error: "AgentServerStopped", message: expect.stringContaining("stopped before") };

test("ends an interrupted stream with an error event, and omits incomplete events", async () => {
  answer = (response) =>
    void send(response, ["event: a\ndata: 1\n", "\nevent: b\ndata: 2\n\nevent: c\nda"], "breaks off");
  const text = await read(eventStream);
  const kept = "event: a\ndata: 1\n\nevent: b\ndata: 2\n\n";
  const [, rest = ""] = text.split(kept);
  expect(text).toBe(`${kept}${rest}`);
  const [, data = ""] = /^event: error\ndata: (.*)\n\n$/.exec(rest) ?? [];
  expect(JSON.parse(data)).toEqual(error);
});

test("supports lines that end with a carriage return and a line feed", async () => {
  const whole = "event: a\r\ndata: 1\r\n\r\n";
  answer = (response) => void send(response, [whole.slice(0, -2), "\r\n", "event: b\r\nda"], "breaks off");
  const text = await read(eventStream);
  expect(text.startsWith(`${whole}event: error\n`)).toBe(true);
});

test("ends an interrupted wait with an error in the format of a failed run", async () => {
  answer = (response) => void send(response, ["\n", "\n", '{"half":'], "breaks off");
  expect(JSON.parse(await read(delayedJson))).toEqual({ __error__: error });
});

test.each([
  ["events", eventStream, ["event: a\r\n", "data: 1\n\n", "rest"]],
  ["a value", delayedJson, ["\n", "\n[1,", "\n2]"]],
] as const)("forwards a complete response unchanged: %s", async (_, form, parts) => {
  answer = (response) => void send(response, [...parts], "ends");
  expect(await read(form)).toBe(parts.join(""));
});
