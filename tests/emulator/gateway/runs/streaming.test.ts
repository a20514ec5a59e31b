import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { readJson } from "../../../json";
import type { Refused, Run, Thread, Values } from "../../answers";
import { eventually } from "../../rollout/processes";
import { saying } from "../agent";
import { type Running, runDeployment } from "../deployment";

let running: Running;
let receiver: Server;
const received: { url: string; type: string; body: unknown }[] = [];

beforeAll(async () => {
  running = await runDeployment();
  receiver = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      received.push({ url: request.url!, type: request.headers["content-type"]!, body: JSON.parse(text) });
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
});
afterAll(() => receiver.close());

const newThread = async (): Promise<string> => (await running.client.post<Thread>("/threads")).body.thread_id;

interface Event {
  id?: string;
  event?: string;
  data: Partial<Values> & { answer?: unknown; status?: string };
}

/** Reads this number of events, or all events until the stream ends. */
async function events(path: string, headers: Record<string, string> = {}, most = Infinity): Promise<Event[]> {
  const leave = new AbortController();
  const answer = await fetch(running.url + path, {
    headers: { "x-api-key": running.plane.apiKey, ...headers },
    signal: leave.signal,
  });
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  const found: Event[] = [];
  let text = "";
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  while (found.length < most) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop()!;
    for (const block of blocks) {
      const lines = block.split(/\r?\n/).map((line) => line.split(/: ?(.*)/s) as [string, string]);
      const { data, ...fields } = Object.fromEntries(lines);
      if (fields.event) found.push({ ...fields, data: readJson(data!) });
    }
  }
  leave.abort();
  return found.slice(0, most);
}

test("replays a resumable stream from the start, or after an event", async () => {
  const thread = await newThread();
  const { body } = await running.client.post<Run>(
    `/threads/${thread}/runs`,
    saying("hi", { stream_resumable: true, stream_mode: ["values", "updates"] }),
  );
  const path = `/threads/${thread}/runs/${body.run_id}/stream`;
  const all = await events(path, { "last-event-id": "-1" });
  expect(all.map(({ id }) => id)).toEqual(all.map((_, place) => String(place)));
  expect(all[0]!.event).toBe("metadata");
  expect(all.at(-1)!.data.messages?.at(-1)!.content ?? all.at(-1)!.data.answer).toBeDefined();
  expect(await events(path, { "last-event-id": "2" })).toEqual(all.slice(3));
  expect(await events(path, { "last-event-id": "-1" })).toEqual(all);
  const updates = await events(`${path}?stream_mode=updates`, { "last-event-id": "-1" });
  expect(updates).toEqual(all.filter(({ event }) => event === "metadata" || event === "updates"));
});

test("resumes the stream of a stateless run after an event ID", async () => {
  const answer = await fetch(`${running.url}/runs/stream`, {
    method: "POST",
    headers: { "x-api-key": running.plane.apiKey, "content-type": "application/json" },
    body: JSON.stringify(saying("hi", { stream_resumable: true })),
  });
  const place = answer.headers.get("content-location")!;
  expect(place).toMatch(/^\/runs\/[\w-]{36}$/);
  expect(await answer.text()).toContain("id: 0\n");
  const rest = await events(`${place}/stream`, { "last-event-id": "0" });
  expect(rest[0]!.id).toBe("1");
  expect(rest.at(-1)!.data.messages!.at(-1)!.content).toBe("heard hi");
});

test("sends all events of a run to each reader", async () => {
  const thread = await newThread();
  const { body } = await running.client.post<Run>(`/threads/${thread}/runs`, saying("slowly"));
  const path = `/threads/${thread}/runs/${body.run_id}/stream`;
  const readers = await Promise.all([1, 2, 3].map(() => events(path, { "last-event-id": "-1" })));
  expect(readers[0]!.at(-1)!.data.messages!.at(-1)!.content).toBe("heard slowly");
  expect(readers[1]).toEqual(readers[0]);
  expect(readers[2]).toEqual(readers[0]);
});

test("streams the events of all runs of a thread in order", async () => {
  const thread = await newThread();
  const path = `/threads/${thread}/stream?stream_modes=lifecycle`;
  const life = events(path, { "last-event-id": "-" }, 4);
  await running.client.post(`/threads/${thread}/runs/wait`, saying("one"));
  await running.client.post(`/threads/${thread}/runs/wait`, saying("two"));
  const seen = await life;
  expect(seen.map(({ data }) => data.status ?? "run_start")).toEqual([
    "run_start",
    "run_done",
    "run_start",
    "run_done",
  ]);
  const all = await events(`/threads/${thread}/stream`, { "last-event-id": "-" }, 6);
  expect(all.map(({ event }) => event)).toEqual(expect.arrayContaining(["metadata", "values"]));
  expect((await running.client.get(`/threads/${crypto.randomUUID()}/stream`)).status).toBe(404);
});

test("calls the webhook of a run when it ends, and ignores an unreachable webhook", async () => {
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const thread = await newThread();
  await running.client.post(`/threads/${thread}/runs/wait`, saying("hi", { webhook: `${address}/ended` }));
  await running.client.post("/runs/wait", saying("fail", { webhook: `${address}/failed` }));
  await eventually(() => received.length === 2, "both webhooks are called");
  expect(received[0]).toMatchObject({
    url: "/ended",
    type: "application/json",
    body: { status: "success", thread_id: thread, values: { messages: [{}, { content: "heard hi" }] } },
  });
  expect(received[1]).toMatchObject({ url: "/failed", body: { status: "error", error: "asked to fail" } });
  for (let round = 0; round < 11; round++)
    await running.client.post("/runs/wait", saying("hi", { webhook: "http://127.0.0.1:9/unreachable" }));
  expect((await running.client.post<Values>("/runs/wait", saying("hi"))).body.messages).toHaveLength(2);
  const refused = await running.client.post<Refused>("/runs/wait", saying("hi", { webhook: "nowhere" }));
  expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining("webhook")]);
});
