import type { Run, Thread, ThreadState, Values } from "../../answers";
import { saying } from "../agent";
import { type Running, runDeployment, until } from "../deployment";

let running: Running;
beforeAll(async () => {
  running = await runDeployment();
});

const newThread = async (): Promise<string> => (await running.client.post<Thread>("/threads")).body.thread_id;

async function start(thread: string, content: string, more: object = {}): Promise<string> {
  const { status, body } = await running.client.post<Run>(`/threads/${thread}/runs`, saying(content, more));
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.run_id;
}

const runOf = (thread: string, run: string) => running.client.get<Run>(`/threads/${thread}/runs/${run}`);
const join = (thread: string, run: string) => running.client.get(`/threads/${thread}/runs/${run}/join`);
const active = (thread: string, run: string) =>
  until(
    () => runOf(thread, run),
    ({ body }) => body.status === "running",
  );

async function said(thread: string): Promise<string[]> {
  const { body } = await running.client.get<ThreadState>(`/threads/${thread}/state`);
  return body.values.messages.map(({ content }) => content);
}

describe("a second run on a busy thread", () => {
  test("runs after the first run if its strategy is enqueue", async () => {
    const thread = await newThread();
    await start(thread, "slowly");
    await join(thread, await start(thread, "hi", { multitask_strategy: "enqueue" }));
    expect(await said(thread)).toEqual(["slowly", "heard slowly", "hi", "heard hi"]);
    expect((await running.client.get<Thread>(`/threads/${thread}`)).body.status).toBe("idle");
  });

  test("stops the first run if its strategy is interrupt, and keeps the first run's results", async () => {
    const thread = await newThread();
    const first = await start(thread, "endlessly");
    await active(thread, first);
    const second = await start(thread, "hi", { multitask_strategy: "interrupt" });
    await join(thread, second);
    expect((await runOf(thread, first)).body.status).toBe("interrupted");
    expect(await said(thread)).toEqual(["endlessly", "hi", "heard hi"]);
  });

  test("deletes the first run and that run's results if its strategy is rollback", async () => {
    const thread = await newThread();
    await join(thread, await start(thread, "before"));
    const first = await start(thread, "endlessly");
    await active(thread, first);
    await join(thread, await start(thread, "hi", { multitask_strategy: "rollback" }));
    expect(await runOf(thread, first)).toMatchObject({
      status: 404,
      body: { detail: `Run ${first} not found.` },
    });
    expect(await said(thread)).toEqual(["before", "heard before", "hi", "heard hi"]);
    expect((await running.client.get<Thread>(`/threads/${thread}`)).body.status).toBe("idle");
  });

  test("deletes a queued run if its strategy is rollback", async () => {
    const thread = await newThread();
    const first = await start(thread, "later", { after_seconds: 3600 });
    await join(thread, await start(thread, "hi", { multitask_strategy: "rollback" }));
    expect((await runOf(thread, first)).status).toBe(404);
    expect(await said(thread)).toEqual(["hi", "heard hi"]);
  });
});

describe("cancellation", () => {
  test("ends an active run before the response if requested", async () => {
    const thread = await newThread();
    const run = await start(thread, "endlessly");
    await active(thread, run);
    const cancelled = await running.client.post(`/threads/${thread}/runs/${run}/cancel?wait=true`);
    expect([cancelled.status, cancelled.body]).toEqual([200, {}]);
    expect((await runOf(thread, run)).body.status).toBe("interrupted");
    expect((await running.client.get<Thread>(`/threads/${thread}`)).body.status).not.toBe("busy");
    await join(thread, await start(thread, "hi"));
    expect(await said(thread)).toEqual(["endlessly", "hi", "heard hi"]);
  });

  test("deletes the run and its checkpoints if the action is rollback", async () => {
    const thread = await newThread();
    await join(thread, await start(thread, "before"));
    const run = await start(thread, "endlessly");
    await active(thread, run);
    await running.client.post(`/threads/${thread}/runs/${run}/cancel?wait=1&action=rollback`);
    expect((await runOf(thread, run)).status).toBe(404);
    expect(await said(thread)).toEqual(["before", "heard before"]);
  });

  test("ends the requests with which clients have joined a queued run", async () => {
    const thread = await newThread();
    const run = await start(thread, "later", { after_seconds: 3600 });
    const joined = join(thread, run);
    await running.client.post(`/threads/${thread}/runs/${run}/cancel`);
    expect((await joined).status).toBe(200);
    expect((await runOf(thread, run)).body.status).toBe("interrupted");
    expect((await running.client.get<Thread>(`/threads/${thread}`)).body.status).toBe("idle");
  });

  test("affects all runs with a status if requested", async () => {
    const threads = await Promise.all([newThread(), newThread()]);
    const runs = await Promise.all(threads.map((thread) => start(thread, "later", { after_seconds: 3600 })));
    expect((await running.client.post("/runs/cancel", { status: "pending" })).status).toBe(204);
    for (const [place, run] of runs.entries())
      expect((await runOf(threads[place]!, run)).body.status).toBe("interrupted");
    expect((await running.client.post("/runs/cancel", { status: "some" })).status).toBe(422);
    const missing = { thread_id: threads[0], run_ids: [threads[1]] };
    expect((await running.client.post("/runs/cancel", missing)).status).toBe(404);
  });

  test.each([
    ["a caller who waits for a new run", "runs/wait"],
    ["a caller who joined a run", "join"],
  ])("happens when the caller disconnects: %s", async (_, way) => {
    const thread = await newThread();
    const leave = new AbortController();
    const headers = { "x-api-key": running.plane.apiKey, "content-type": "application/json" };
    const base = `${running.url}/threads/${thread}`;
    const ask = (path: string, init: RequestInit = {}) =>
      void fetch(`${base}/${path}`, { ...init, headers, signal: leave.signal })
        .then((answer) => answer.text())
        .catch(() => undefined);
    if (way === "join") {
      const joined = await start(thread, "endlessly");
      ask(`runs/${joined}/join?cancel_on_disconnect=1`);
    } else
      ask(way, { method: "POST", body: JSON.stringify(saying("endlessly", { on_disconnect: "cancel" })) });
    const { body } = await until(
      () => running.client.get<Run[]>(`/threads/${thread}/runs`),
      (answer) => answer.body[0]?.status === "running",
    );
    leave.abort();
    await until(
      () => runOf(thread, body[0]!.run_id),
      (answer) => answer.body.status === "interrupted",
    );
  });

  test("happens before an active run is deleted", async () => {
    const thread = await newThread();
    const run = await start(thread, "endlessly");
    await active(thread, run);
    expect((await running.client.delete(`/threads/${thread}/runs/${run}`)).status).toBe(200);
    expect((await runOf(thread, run)).status).toBe(404);
    await join(thread, await start(thread, "hi"));
    expect(await said(thread)).toEqual(["hi", "heard hi"]);
  });

  test("happens when the thread of an active run is deleted, so that later runs can start", async () => {
    // More runs than workers: a faulty run would permanently block its worker.
    for (let round = 0; round < 11; round++) {
      const thread = await newThread();
      const run = await start(thread, "endlessly");
      await active(thread, run);
      expect((await running.client.delete(`/threads/${thread}`)).status).toBe(200);
    }
    const answer = await running.client.post<Values>("/runs/wait", saying("hi"));
    expect(answer.body.messages.at(-1)!.content).toBe("heard hi");
  });
});

test("starts a run only after its delay", async () => {
  const thread = await newThread();
  const before = Date.now();
  await join(thread, await start(thread, "hi", { after_seconds: 1 }));
  expect(Date.now() - before).toBeGreaterThanOrEqual(1000);
});

test("reports why a run failed, and resumes an interrupted graph", async () => {
  const thread = await newThread();
  const failed = await running.client.post(`/threads/${thread}/runs/wait`, saying("fail"));
  expect(failed.body).toEqual({ __error__: { error: "Error", message: "asked to fail" } });
  expect((await running.client.get<Thread>(`/threads/${thread}`)).body.status).toBe("error");
  const other = await newThread();
  await running.client.post(`/threads/${other}/runs/wait`, saying("ask"));
  expect((await running.client.get(`/threads/${other}`)).body).toMatchObject({ status: "interrupted" });
  const resumed = { assistant_id: "agent", command: { resume: "this" } };
  const { body } = await running.client.post<Values>(`/threads/${other}/runs/wait`, resumed);
  expect(body.messages.at(-1)!.content).toBe("told this");
});
