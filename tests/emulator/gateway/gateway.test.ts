import type { AddressInfo } from "node:net";
import { serve, type ServerType } from "@hono/node-server";
import { Hono } from "hono";
import { createGateway } from "../../../emulator/gateway/index";
import type { GatewayLookup, GatewayRoute } from "../../../emulator/gateway/route";
import { createRealRunner } from "../../../emulator/rollout/real";
import type { RunningAgent } from "../../../emulator/rollout/rollout";
import { agentFiles, slowAnswerer } from "../rollout/agents";
import { jobFor, Notes } from "../rollout/rehearsal";
import { Repository } from "../rollout/repository";

let agent: RunningAgent;
let server: ServerType;
let url: string;

const lookup: GatewayLookup = (deploymentId, apiKey, open): GatewayRoute => {
  if (!open && apiKey === undefined)
    return { kind: "forbidden", status: 401, detail: "X-Api-Key is missing." };
  if (!open && apiKey !== "key") return { kind: "forbidden", status: 403, detail: "X-Api-Key is not valid." };
  if (deploymentId === "agent")
    return { kind: "serving", origin: agent.origin, internalApi: agent.internalApi! };
  if (deploymentId === "starting") return { kind: "unavailable", detail: "No revision serves yet." };
  if (deploymentId === "dead") return { kind: "serving", origin: "http://127.0.0.1:9" };
  return { kind: "unknown", detail: "No such deployment." };
};

beforeAll(async () => {
  const job = jobFor(new Repository(agentFiles(slowAnswerer)).folder);
  agent = (await createRealRunner().roll(job, new Notes(), new AbortController().signal))!;
  await agent.takeOver!();
  const app = new Hono().route("/", createGateway({ lookup, dataFolder: () => job.dataFolder }).routes);
  await new Promise<void>((resolve) => {
    server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => resolve());
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/agents`;
});

afterAll(async () => {
  server?.close();
  await agent?.stop();
});

interface CallOptions {
  deployment?: string;
  key?: string | null;
  signal?: AbortSignal;
}

function call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Response> {
  const { deployment = "agent", key = "key", signal } = options;
  return fetch(`${url}/${deployment}${path}`, {
    method,
    headers: { "content-type": "application/json", ...(key === null ? {} : { "x-api-key": key }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
}

async function json<T = Record<string, unknown>>(answer: Promise<Response>): Promise<T> {
  return (await answer).json() as Promise<T>;
}

const newThread = async () => (await json<{ thread_id: string }>(call("POST", "/threads", {}))).thread_id;
const runOf = (content: string, more: Record<string, unknown> = {}) => ({
  assistant_id: "agent",
  input: { messages: [{ role: "user", content }] },
  ...more,
});

describe("access", () => {
  test.each([
    ["no key", "agent", null, 401, "X-Api-Key is missing."],
    ["a wrong key", "agent", "other", 403, "X-Api-Key is not valid."],
    ["an unknown deployment", "other", "key", 404, "No such deployment."],
    ["a deployment that is not serving", "starting", "key", 503, "No revision serves yet."],
  ])("rejects a request with %s", async (_, deployment, key, status, detail) => {
    const answer = await call("GET", "/assistants/agent", undefined, { deployment, key });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ detail });
    expect(answer.headers.get("retry-after")).toBe(status === 503 ? "2" : null);
  });

  test("does not require a key for /ok, but requires one for everything else", async () => {
    expect(await json(call("GET", "/ok", undefined, { key: null }))).toEqual({ ok: true });
    expect((await call("GET", "/info", undefined, { key: null })).status).toBe(401);
    expect((await call("GET", "/", undefined, { key: null })).status).toBe(401);
    expect((await call("GET", "/ok/", undefined, { key: null })).status).toBe(401);
    expect((await call("POST", "/threads", {}, { key: null })).status).toBe(401);
  });

  test("returns 503 if the agent does not accept connections", async () => {
    const answer = await call("GET", "/ok", undefined, { deployment: "dead" });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(await answer.json()).toEqual({ detail: expect.stringContaining("is not accepting connections") });
  });
});

describe("a run", () => {
  test("is created and joined, and changes the state of its thread", async () => {
    const thread = await newThread();
    const created = await call("POST", `/threads/${thread}/runs`, runOf("hi"));
    expect(created.status).toBe(200);
    const { run_id: run } = (await created.json()) as { run_id: string };
    expect(created.headers.get("content-location")).toBe(`/threads/${thread}/runs/${run}`);
    await (await call("GET", `/threads/${thread}/runs/${run}/join`)).text();
    const state = await json<{ values: { messages: { content: string }[] } }>(
      call("GET", `/threads/${thread}/state`),
    );
    expect(state.values.messages.map((message) => message.content)).toEqual(["hi", "heard hi"]);
  });

  test("streams its first event before it ends", async () => {
    const thread = await newThread();
    const answer = await call(
      "POST",
      `/threads/${thread}/runs/stream`,
      runOf("slowly", { stream_mode: ["values"] }),
    );
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    const first = (await reader.read()).value ?? "";
    expect(first).toContain("event: metadata");
    const { status } = await json<{ status: string }>(call("GET", `/threads/${thread}`));
    expect(status).toBe("busy");
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value;
    expect(rest).toContain("heard slowly");
  });

  test("is canceled when its caller disconnects, if requested", async () => {
    const thread = await newThread();
    const leave = new AbortController();
    const run = runOf("slowly", { on_disconnect: "cancel" });
    const answer = await call("POST", `/threads/${thread}/runs/stream`, run, { signal: leave.signal });
    const id = answer.headers.get("content-location")!.split("/").at(-1)!;
    await answer.body!.getReader().read();
    leave.abort();
    const joined = await call("GET", `/threads/${thread}/runs/${id}/join`);
    await joined.text();
    const { status } = await json<{ status: string }>(call("GET", `/threads/${thread}/runs/${id}`));
    expect(status).not.toBe("success");
  });

  test("continues if a second run is rejected with 409 because its strategy is reject", async () => {
    const thread = await newThread();
    const first = await json<{ run_id: string }>(call("POST", `/threads/${thread}/runs`, runOf("slowly")));
    for (const path of ["runs", "runs/stream", "runs/wait"]) {
      const refused = await call(
        "POST",
        `/threads/${thread}/${path}`,
        runOf("hi", { multitask_strategy: "reject" }),
      );
      expect(refused.status).toBe(409);
      expect(await refused.json()).toEqual({
        detail: expect.stringContaining(`Thread ${thread} already has an active run, which continues.`),
      });
    }
    await (await call("GET", `/threads/${thread}/runs/${first.run_id}/join`)).text();
    const { status } = await json<{ status: string }>(call("GET", `/threads/${thread}/runs/${first.run_id}`));
    expect(status).toBe("success");
    const runs = await json<unknown[]>(call("GET", `/threads/${thread}/runs`));
    expect(runs).toHaveLength(1);
  });

  test("is rejected with 404 if the thread is missing, with every strategy", async () => {
    const thread = "00000000-0000-4000-8000-000000000000";
    for (const more of [{ multitask_strategy: "reject" }, {}]) {
      const answer = await call("POST", `/threads/${thread}/runs`, runOf("hi", more));
      expect(answer.status).toBe(404);
      expect(await answer.json()).toEqual({ detail: `Thread ${thread} not found.` });
    }
  });

  test("is rejected with the documented error response in other cases", async () => {
    const thread = await newThread();
    const refused = async (body: object) => {
      const answer = await call("POST", `/threads/${thread}/runs`, body);
      return [answer.status, ((await answer.json()) as { detail: string }).detail];
    };
    expect(await refused({ ...runOf("hi"), assistant_id: "none" })).toEqual([
      404,
      expect.stringContaining('No assistant found for "none"'),
    ]);
    expect(await refused({ input: 1 })).toEqual([422, expect.stringContaining("assistant_id: ")]);
    expect(await refused(runOf("hi", { multitask_strategy: "bogus" }))).toEqual([
      422,
      expect.stringContaining("multitask_strategy: "),
    ]);
  });

  test("is queued on a busy thread if no strategy is specified", async () => {
    const thread = await newThread();
    await json(call("POST", `/threads/${thread}/runs`, runOf("slowly")));
    const second = await json<{ messages: { content: string }[] }>(
      call("POST", `/threads/${thread}/runs/wait`, runOf("hi")),
    );
    expect(second.messages.map(({ content }) => content)).toEqual([
      "slowly",
      "heard slowly",
      "hi",
      "heard hi",
    ]);
  });
});
