import { Client } from "@langchain/langgraph-sdk";
import type { Thread } from "../../answers";
import { saying } from "../agent";
import { type Running, runDeployment } from "../deployment";

let running: Running;
beforeAll(async () => (running = await runDeployment()));

/** Returns the official client, its requests, and a function that breaks the connection of its first request. */
function clientOnBadLine() {
  const requests: string[] = [];
  let cut = (): void => undefined;
  const fetchThatBreaks: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    requests.push(`${init?.method ?? "GET"} ${pathname.replace(/^\/agents\/[^/]+/, "")}`);
    const answer = await fetch(input, init);
    if (requests.length > 1) return answer;
    const line = new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => {
        cut = () => controller.error(new TypeError("terminated"));
      },
    });
    return new Response(answer.body!.pipeThrough(line), answer);
  };
  const client = new Client({
    apiUrl: running.url,
    apiKey: running.plane.apiKey,
    callerOptions: { fetch: fetchThatBreaks },
  });
  return { client, requests, cut: () => cut() };
}

const input = { messages: [{ role: "user", content: "slowly" }] };

test.each(["thread", "none"])(
  "resumes the official client's interrupted stream without repeating events (thread: %s)",
  async (on) => {
    const { client, requests, cut } = clientOnBadLine();
    const thread = on === "thread" ? (await running.client.post<Thread>("/threads")).body.thread_id : null;
    const options = { input, streamMode: "updates" as const };
    const events: { id?: string; event: string; data: unknown }[] = [];
    const stream = thread
      ? client.runs.stream(thread, "agent", options)
      : client.runs.stream(null, "agent", options);
    for await (const event of stream) {
      events.push(event);
      if (event.event === "updates" && requests.length === 1) cut();
    }
    expect(events.map(({ event }) => event)).toEqual(["metadata", "updates", "updates"]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
    expect(events.at(-1)!.data).toMatchObject({ answer: { messages: [{ content: "heard slowly" }] } });
    expect(requests.slice(0, 2)).toEqual([
      `POST ${thread ? `/threads/${thread}` : ""}/runs/stream`,
      expect.stringMatching(new RegExp(`^GET ${thread ? `/threads/${thread}` : ""}/runs/[\\w-]{36}/stream$`)),
    ]);
  },
);

test("returns a path for reconnecting to clients that wait for or join a run", async () => {
  const { thread_id } = (await running.client.post<Thread>("/threads")).body;
  const headers = { "x-api-key": running.plane.apiKey, "content-type": "application/json" };
  const waited = await fetch(`${running.url}/threads/${thread_id}/runs/wait`, {
    method: "POST",
    headers,
    body: JSON.stringify(saying("hi")),
  });
  const place = waited.headers.get("location")!;
  expect(place).toMatch(new RegExp(`^/threads/${thread_id}/runs/[\\w-]{36}/join$`));
  const joined = await fetch(running.url + place, { headers: { ...headers, origin: "https://a.example" } });
  expect(joined.headers.get("access-control-expose-headers")!.toLowerCase()).toMatch(/\blocation$/);
  expect(joined.headers.get("location")).toBe(place);
  expect(await joined.json()).toEqual(await waited.json());
});

test("returns the final status of a run as soon as its stream has ended", async () => {
  const client = new Client({ apiUrl: running.url, apiKey: running.plane.apiKey });
  const { input } = saying("hi");
  for (let round = 0; round < 10; round++) {
    const { thread_id } = await client.threads.create();
    let run = "";
    const stream = client.runs.stream(thread_id, "agent", {
      input,
      onRunCreated: ({ run_id }) => (run = run_id),
    });
    const events: string[] = [];
    for await (const { event } of stream) events.push(event);
    expect(events.at(-1)).toBe("values");
    expect((await client.runs.get(thread_id, run)).status).toBe("success");
  }
});
