import { type IncomingMessage, request } from "node:http";
import { VirtualClock } from "../../../../emulator/index";
import { withHeartbeat } from "../../../../emulator/gateway/request/heartbeat";
import type { Thread } from "../../answers";
import { saying } from "../agent";
import { type Running, runDeployment } from "../deployment";

describe("a stream with heartbeats", () => {
  let clock: VirtualClock;
  let source: ReadableStreamDefaultController<Uint8Array>;
  let reader: ReadableStreamDefaultReader<string>;
  let cancelled: unknown;
  beforeEach(() => {
    clock = new VirtualClock();
    cancelled = undefined;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => void (source = controller),
      cancel: (reason) => void (cancelled = reason),
    });
    const text = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>;
    reader = withHeartbeat(stream, ": heartbeat\n\n", clock).pipeThrough(text).getReader();
  });
  const send = (text: string) => source.enqueue(new TextEncoder().encode(text));
  const next = async () => (await reader.read()).value;

  test("contains a heartbeat after every five seconds without data", async () => {
    const beats = [next(), next()];
    await clock.advance(9_999);
    send("data");
    expect(await Promise.all(beats)).toEqual([": heartbeat\n\n", "data"]);
    const beat = next();
    await clock.advance(5_000);
    expect(await beat).toBe(": heartbeat\n\n");
  });

  test("contains no heartbeats while data is being sent", async () => {
    for (const text of ["one", "two", "three"]) {
      send(text);
      expect(await next()).toBe(text);
      await clock.advance(4_000);
    }
    source.close();
    expect(await next()).toBeUndefined();
  });

  test("buffers no heartbeats for a client that does not read", async () => {
    send("data");
    await clock.advance(3_600_000);
    const read = [await next(), await next()];
    expect(read[0]).toBe("data");
    send("more");
    let text = "";
    while (text !== "more") text = (await next())!;
  });

  test("ends when its source fails", async () => {
    const ended = next();
    source.error(new Error("broken"));
    await expect(ended).rejects.toThrow("broken");
    await clock.advance(60_000);
  });

  test("cancels its source when it is canceled", async () => {
    await reader.cancel("left");
    expect(cancelled).toBe("left");
    await clock.advance(60_000);
  });
});

describe("an agent server that has nothing to send", () => {
  const clock = new VirtualClock();
  let running: Running;
  let thread: string;
  beforeAll(async () => {
    running = await runDeployment({ clock });
    thread = (await running.client.post<Thread>("/threads")).body.thread_id;
    await running.client.post(`/threads/${thread}/runs`, saying("endlessly"));
  });

  const message = {
    kind: "message",
    role: "user",
    messageId: "1",
    parts: [{ kind: "text", text: "endlessly" }],
  };
  const streams: [string, string, () => string, object | undefined][] = [
    ["a queued run", "POST", () => `/threads/${thread}/runs/stream`, saying("hi")],
    ["a run without a thread", "POST", () => "/runs/stream", saying("endlessly")],
    ["a run that is joined", "GET", () => `/threads/${thread}/runs/RUN/stream`, undefined],
    ["a thread", "GET", () => `/threads/${thread}/stream`, undefined],
    [
      "the events of a thread",
      "POST",
      () => `/threads/${thread}/stream/events`,
      { channels: ["values", "lifecycle"] },
    ],
    [
      "an A2A message",
      "POST",
      () => "/a2a/agent",
      { jsonrpc: "2.0", id: 1, method: "message/stream", params: { message } },
    ],
  ];

  /** Opens a stream, and reads it until the text arrives. */
  async function readUntil(wanted: string, method: string, path: string, body?: object): Promise<void> {
    const runs = await running.client.get<{ run_id: string }[]>(`/threads/${thread}/runs`);
    const headers = {
      "content-type": "application/json",
      accept: "text/event-stream",
      "x-api-key": running.plane.apiKey,
    };
    const url = running.url + path.replace("RUN", runs.body.at(-1)!.run_id);
    const sent = request(url, { method, headers }).end(body && JSON.stringify(body));
    let answer: IncomingMessage | undefined;
    sent.on("response", (received) => (answer = received));
    while (!answer) await clock.advance(5_000);
    expect(answer.statusCode).toBe(200);
    let text = "";
    answer.setEncoding("utf8").on("data", (part: string) => (text += part));
    while (!text.includes(wanted)) {
      expect(answer.complete).toBe(false);
      await clock.advance(5_000);
    }
    sent.destroy();
  }

  test.each(streams)("sends heartbeats in the stream for %s", (_name, method, path, body) =>
    readUntil(": heartbeat\n\n: heartbeat\n\n", method, path(), body),
  );

  test("sends blank lines to a client that joins a run", () =>
    readUntil("\n\n", "GET", `/threads/${thread}/runs/RUN/join`));
});
