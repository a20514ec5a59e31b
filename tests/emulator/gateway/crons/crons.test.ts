import { randomUUID } from "node:crypto";
import type { Cron, Run, Thread, ThreadState } from "../../answers";
import { VirtualClock } from "../../../../emulator/index";
import { saying } from "../agent";
import { type Running, revise, runDeployment, until } from "../deployment";

const start = Date.UTC(2026, 2, 28, 23, 30);
const clock = new VirtualClock(start);
let running: Running;
beforeAll(async () => {
  running = await runDeployment({ clock });
});

const minutes = (count: number) => clock.advance(count * 60_000);
const at = (...parts: [number, number, number, number, number]) => new Date(Date.UTC(...parts)).toISOString();
const cronOn = async (thread: string, more: object) =>
  (await running.client.post<Cron>(`/threads/${thread}/runs/crons`, { ...saying("tick"), ...more })).body;
const newThread = async (): Promise<string> => (await running.client.post<Thread>("/threads")).body.thread_id;

/** Waits until exactly this number of runs on a thread have succeeded. */
const runs = (thread: string, count: number) =>
  until(
    () => running.client.get<Run[]>(`/threads/${thread}/runs?limit=100`),
    ({ body }) => body.length === count && body.every(({ status }) => status === "success"),
  );

test("runs a thread's cron at each scheduled time until the cron is deleted", async () => {
  const thread = await newThread();
  const cron = await cronOn(thread, { schedule: "*/10 * * * *", metadata: { of: "test" } });
  expect(cron).toMatchObject({
    thread_id: thread,
    schedule: "*/10 * * * *",
    timezone: null,
    enabled: true,
    end_time: null,
    metadata: { of: "test" },
    payload: {
      input: { messages: [{ content: "tick" }] },
      config: { configurable: { cron_id: expect.any(String) } },
    },
    next_run_date: new Date(start + 600_000).toISOString(),
  });
  await minutes(9);
  expect((await running.client.get(`/threads/${thread}/runs`)).body).toEqual([]);
  expect(cron.payload).toMatchObject({ config: { configurable: { cron_id: cron.cron_id } } });
  // A time that passes while the agent accepts an earlier run is skipped, so each run is awaited.
  await minutes(1);
  await runs(thread, 1);
  await minutes(10);
  await runs(thread, 2);
  await minutes(10);
  const { body } = await runs(thread, 3);
  expect(body[0]!.metadata).toMatchObject({
    cron_id: cron.cron_id,
    cron_due_at: new Date(start + 1_800_000).toISOString(),
    of: "test",
  });
  expect(body[0]!.kwargs).toMatchObject({ config: { configurable: { cron_id: cron.cron_id } } });
  expect((await running.client.delete(`/runs/crons/${cron.cron_id}`)).status).toBe(200);
  expect((await running.client.get(`/runs/crons/${cron.cron_id}`)).status).toBe(404);
  await minutes(30);
  await runs(thread, 3);
});

test("follows the time zone of a schedule across daylight saving time changes", async () => {
  const thread = await newThread();
  // In Berlin, clocks changed from 2 to 3 that night: 3:30 local time was 1:30 in UTC.
  const cron = await cronOn(thread, { schedule: "30 3 * * *", timezone: "Europe/Berlin" });
  expect(clock.now()).toBeLessThan(Date.UTC(2026, 2, 29, 1, 0));
  expect(cron.next_run_date).toBe(at(2026, 2, 29, 1, 30));
  await minutes(90);
  await runs(thread, 1);
  const { body } = await running.client.get<Cron>(`/runs/crons/${cron.cron_id}`);
  expect(body.next_run_date).toBe(at(2026, 2, 30, 1, 30));
});

test("starts no runs after the end time, while disabled, or after the thread is deleted", async () => {
  const now = clock.now();
  const [ending, disabled, doomed] = [await newThread(), await newThread(), await newThread()];
  const inMinutes = (count: number) => new Date(now + count * 60_000).toISOString();
  const cron = await cronOn(ending, { schedule: "* * * * *", end_time: inMinutes(2.5) });
  const other = await cronOn(disabled, { schedule: "* * * * *", enabled: false });
  const gone = await cronOn(doomed, { schedule: "* * * * *" });
  expect(other.next_run_date).toBeNull();
  await running.client.delete(`/threads/${doomed}`);
  await minutes(5);
  await runs(ending, 2);
  expect((await running.client.get<Cron>(`/runs/crons/${cron.cron_id}`)).body.next_run_date).toBeNull();
  expect((await running.client.get(`/threads/${disabled}/runs`)).body).toEqual([]);
  expect((await running.client.get(`/runs/crons/${gone.cron_id}`)).status).toBe(404);
  const change = { enabled: true, input: { messages: [{ role: "user", content: "tock" }] } };
  const changed = await running.client.patch<Cron>(`/runs/crons/${other.cron_id}`, change);
  expect(changed.body.next_run_date).not.toBeNull();
  await minutes(1);
  await runs(disabled, 1);
  const { body } = await running.client.get<ThreadState>(`/threads/${disabled}/state`);
  expect(body.values.messages[0]!.content).toBe("tock");
  await running.client.delete(`/runs/crons/${other.cron_id}`);
});

test("creates a thread for each run of a stateless cron, and keeps the thread if requested", async () => {
  const attempt = randomUUID();
  const make = async (completed: string) =>
    (
      await running.client.post<Cron>("/runs/crons", {
        ...saying("alone"),
        schedule: "0 * * * *",
        on_run_completed: completed,
        metadata: { completed, attempt },
      })
    ).body;
  const [kept, dropped] = [await make("keep"), await make("delete")];
  expect(kept).toMatchObject({ thread_id: null, on_run_completed: "keep" });
  await minutes(120);
  const threads = (completed: string) =>
    running.client.post<Thread[]>("/threads/search", { metadata: { completed, attempt } });
  // A thread is also idle before its run starts.
  await until(
    () => threads("keep"),
    ({ body }) =>
      body.length === 2 &&
      body.every(
        ({ status, values }) => status === "idle" && values?.messages?.at(-1)?.content === "heard alone",
      ),
  );
  await until(
    () => threads("delete"),
    ({ body }) => body.length === 0,
  );
  for (const { cron_id: id } of [kept, dropped]) await running.client.delete(`/runs/crons/${id}`);
});

test("searches, sorts, counts, and selects fields of crons", async () => {
  const thread = await newThread();
  const early = await cronOn(thread, { schedule: "0 1 1 1 *", metadata: { group: "g" } });
  await minutes(1);
  const late = await cronOn(thread, { schedule: "0 2 1 1 *", metadata: { group: "g" }, enabled: false });
  const search = async (body: object) =>
    (await running.client.post<Cron[]>("/runs/crons/search", { thread_id: thread, ...body })).body;
  const ids = async (body: object) => (await search(body)).map(({ cron_id }) => cron_id);
  expect(await ids({})).toEqual([late.cron_id, early.cron_id]);
  expect(await ids({ sort_order: "asc" })).toEqual([early.cron_id, late.cron_id]);
  expect(await ids({ enabled: true })).toEqual([early.cron_id]);
  expect(await ids({ limit: 1, offset: 1 })).toEqual([early.cron_id]);
  expect(await ids({ metadata: { group: "other" } })).toEqual([]);
  expect(await search({ select: ["schedule"], limit: 1 })).toEqual([{ schedule: "0 2 1 1 *" }]);
  expect(
    (await running.client.post("/runs/crons/count", { assistant_id: "agent", thread_id: thread })).body,
  ).toBe(2);
});

test.each([["timezone"], ["webhook"], ["durability"], ["input"], ["context"], ["on_run_completed"]])(
  "rejects clearing %s with null, as the published API does",
  async (field) => {
    const cron = await cronOn(await newThread(), { schedule: "0 0 1 1 *" });
    expect(await running.client.patch(`/runs/crons/${cron.cron_id}`, { [field]: null })).toMatchObject({
      status: 422,
    });
  },
);

test.each([
  ["an unknown assistant", "/runs/crons", { schedule: "* * * * *", assistant_id: "none" }, 404],
  ["an unknown thread", `/threads/${crypto.randomUUID()}/runs/crons`, { schedule: "* * * * *" }, 404],
  ["no schedule", "/runs/crons", {}, 422],
  ["a schedule with seven fields", "/runs/crons", { schedule: "* * * * * * *" }, 422],
  ["an impossible schedule", "/runs/crons", { schedule: "61 * * * *" }, 422],
  ["an unknown schedule name", "/runs/crons", { schedule: "@reboot" }, 422],
  ["a schedule that matches no time", "/runs/crons", { schedule: "0 0 30 2 *" }, 400],
  ["an unknown time zone", "/runs/crons", { schedule: "* * * * *", timezone: "Berlin" }, 422],
  ["an end time that is not a time", "/runs/crons", { schedule: "* * * * *", end_time: "soon" }, 422],
  ["a time zone that is null", "/runs/crons", { schedule: "* * * * *", timezone: null }, 422],
  ["an input that is a string", "/runs/crons", { schedule: "* * * * *", input: "tick" }, 422],
  ["an input with a string in a list", "/runs/crons", { schedule: "* * * * *", input: [{}, "tick"] }, 422],
  ["an end time in natural language", "/runs/crons", { schedule: "* * * * *", end_time: "May 5" }, 422],
  [
    "a context together with configurable values",
    "/runs/crons",
    { schedule: "* * * * *", context: { a: 1 }, config: { configurable: { a: 1 } } },
    400,
  ],
  ["an end time that is null", "/runs/crons", { schedule: "* * * * *", end_time: null }, 422],
])("rejects %s", async (_, path, body, status) => {
  const answer = await running.client.post(path, { ...saying("tick"), ...body });
  expect(answer).toMatchObject({ status, body: { detail: expect.any(String) } });
});

test("runs crons with a new revision, and runs a cron once if it was due during the rollout", async () => {
  const thread = await newThread();
  await cronOn(thread, { schedule: "* * * * *" });
  await minutes(1);
  await runs(thread, 1);
  // Short enough that the rollout does not time out.
  await clock.advance(50_000);
  const revised = revise(running.plane, running.url);
  await clock.advance(15_000);
  await revised;
  await runs(thread, 2);
  await minutes(1);
  await runs(thread, 3);
});

test("includes the ID of a cron in its payload, even if a request sets another ID", async () => {
  const cron = await cronOn(await newThread(), {
    schedule: "@yearly",
    config: { tags: ["a"], configurable: { cron_id: "mine", style: "brief" } },
  });
  const configurable = { cron_id: cron.cron_id, style: "brief" };
  expect(cron.payload).toMatchObject({ config: { tags: ["a"], configurable } });
  const path = `/runs/crons/${cron.cron_id}`;
  const changed = await running.client.patch<Cron>(path, { config: { configurable: { style: "long" } } });
  expect(changed.body.payload).toMatchObject({
    config: { configurable: { cron_id: cron.cron_id, style: "long" } },
  });
  expect(await running.client.patch(path, { schedule: "0 0 31 4 *" })).toMatchObject({ status: 400 });
  expect((await running.client.get<Cron>(path)).body.schedule).toBe("@yearly");
});

test("runs a cron that has a context and a schedule with seconds", async () => {
  const thread = await newThread();
  const cron = await cronOn(thread, { schedule: "* * * * * */20", context: { style: "brief" } });
  expect(cron.next_run_date).toBe(new Date(clock.now() - (clock.now() % 20_000) + 20_000).toISOString());
  await clock.advance(20_000);
  const { body } = await runs(thread, 1);
  expect(body[0]!.kwargs).toMatchObject({
    context: { style: "brief" },
    config: { configurable: { style: "brief", cron_id: cron.cron_id } },
  });
  await running.client.delete(`/runs/crons/${cron.cron_id}`);
});

test("replaces a context with configurable values, and vice versa", async () => {
  const cron = await cronOn(await newThread(), { schedule: "@yearly", context: { style: "brief" } });
  const path = `/runs/crons/${cron.cron_id}`;
  const id = { cron_id: cron.cron_id };
  const older = await running.client.patch<Cron>(path, { config: { configurable: { style: "long" } } });
  expect(older.body.payload).not.toHaveProperty("context");
  expect(older.body.payload.config).toEqual({ configurable: { style: "long", ...id } });
  const newer = await running.client.patch<Cron>(path, { context: { style: "brief" } });
  expect(newer.body.payload).toMatchObject({ context: { style: "brief" }, config: { configurable: id } });
  const both = { context: { a: 1 }, config: { configurable: { a: 1 } } };
  expect(await running.client.patch(path, both)).toMatchObject({ status: 400 });
});

test("interprets an end time without an offset as UTC", async () => {
  const thread = await newThread();
  const end = async (end_time: string) => (await cronOn(thread, { schedule: "@yearly", end_time })).end_time;
  expect(await end("2027-01-31T18:00:00")).toBe("2027-01-31T18:00:00.000Z");
  expect(await end("2027-01-31T18:00:00+02:00")).toBe("2027-01-31T16:00:00.000Z");
  expect(await end("2027-01-31")).toBe("2027-01-31T00:00:00.000Z");
});

test("runs a cron whose body contains unknown fields", async () => {
  const thread = await newThread();
  const others = { after_seconds: "later", if_not_exists: "maybe", command: 5 };
  const cron = await cronOn(thread, { schedule: "* * * * * */20", ...others });
  expect(cron.payload).not.toHaveProperty("command");
  await clock.advance(20_000);
  await runs(thread, 1);
  await running.client.delete(`/runs/crons/${cron.cron_id}`);
});

test("finds crons by part of their metadata", async () => {
  const thread = await newThread();
  await cronOn(thread, { schedule: "@yearly", metadata: { of: { team: "a", tags: ["x", "y"] } } });
  const count = async (metadata: object) =>
    (await running.client.post("/runs/crons/count", { thread_id: thread, metadata })).body;
  expect(await count({ of: { tags: ["y"] } })).toBe(1);
  expect(await count({ of: { tags: ["x", "y"], team: "a" } })).toBe(1);
  expect(await count({ of: { team: "b" } })).toBe(0);
});

test("ignores the cron run header in client requests", async () => {
  const thread = await newThread();
  const send = () =>
    fetch(`${running.url}/threads/${thread}/runs`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-api-key": running.plane.apiKey,
        "x-cron-delivery": `${randomUUID()} 1`,
      },
      body: JSON.stringify(saying("tick")),
    });
  expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
});
