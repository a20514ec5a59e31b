import { AgentWorld } from "../agent-world";

let world: AgentWorld;
beforeAll(async () => {
  world = await AgentWorld.start();
});
beforeEach(() => world.forget());
afterEach(async () => {
  for (const { cron_id: id } of await crons()) await world.ask("DELETE", `/runs/crons/${id}`);
});

interface Cron {
  cron_id: string;
  schedule: string;
  enabled: boolean;
  end_time: string | null;
  metadata: Record<string, unknown>;
}

const crons = () => world.ask<Cron[]>("POST", "/runs/crons/search", {});

const daily = (change: object = {}) => ({
  ...world.deployment,
  assistant: "agent",
  schedule: "0 9 * * *",
  input: { messages: [{ role: "user", content: "report" }] },
  ...change,
});

test("is made by one request, tells when it fires, and is changed in place", async () => {
  const stack = world.stack("cron");
  expect(await stack.up(daily({ timezone: "Europe/Berlin" }))).toEqual({ step: "create", checkFailures: [] });
  expect(world.writes()).toEqual(["POST /runs/crons"]);
  expect(stack.outputs["nextRuns"]).toEqual([
    "2026-01-01T08:00:00Z",
    "2026-01-02T08:00:00Z",
    "2026-01-03T08:00:00Z",
  ]);
  expect(world.log.kept).toContain("fires next at 2026-01-01T08:00:00Z, 2026-01-02T08:00:00Z");
  await stack.up(daily({ timezone: "Europe/Berlin", schedule: "0 10 * * *", enabled: false }));
  expect(world.writes()).toEqual(["PATCH /runs/crons/ID"]);
  expect(stack.outputs["nextRuns"]).toEqual([]);
  expect(await crons()).toMatchObject([{ schedule: "0 10 * * *", enabled: false }]);
  await stack.destroy();
  expect(await crons()).toEqual([]);
});

test.each(["before", "after"] as const)(
  "a reply that is lost %s it was carried out makes one cron",
  async (when) => {
    world.admin.fault({ kind: "reset", when, method: "POST", path: "/agents/:id/runs/crons" });
    expect(await world.stack("cron").up(daily())).toMatchObject({ step: "create" });
    expect(await crons()).toHaveLength(1);
  },
);

test("a create that was cut off is gone on with, and one that was made twice is made one", async () => {
  const stack = world.stack("cron");
  await stack.up(daily());
  const [made] = await crons();
  await world.ask("POST", "/runs/crons", {
    assistant_id: "agent",
    schedule: "0 9 * * *",
    metadata: made!.metadata,
  });
  stack.lose();
  stack.host = world.host("cron");
  expect(await stack.up(daily({ schedule: "5 9 * * *" }))).toMatchObject({ step: "create" });
  expect(await crons()).toMatchObject([{ cron_id: made!.cron_id, schedule: "5 9 * * *" }]);
  expect(world.log.kept).toContain("is deleted: it is the same one once more");
});

test("another assistant replaces it, the old one first", async () => {
  const stack = world.stack("cron");
  await stack.up(daily());
  const assistant = await world.ask<{ assistant_id: string }>("POST", "/assistants", { graph_id: "agent" });
  const wanted = daily({ assistant: assistant.assistant_id });
  expect(await stack.preview(wanted)).toMatchObject({ replaces: ["assistant"], deleteBeforeReplace: true });
  expect(await stack.up(wanted)).toMatchObject({ step: "replace" });
  expect(world.writes()).toEqual(["DELETE /runs/crons/ID", "POST /runs/crons"]);
});

test("one of somebody else is left alone, and taken over by its id", async () => {
  const { cron_id: id } = await world.ask<Cron>("POST", "/runs/crons", {
    assistant_id: "agent",
    schedule: "0 1 * * *",
  });
  const stack = world.stack("cron");
  await stack.up(daily());
  expect(await crons()).toHaveLength(2);
  await stack.destroy();
  expect(await crons()).toMatchObject([{ cron_id: id }]);
  expect(await stack.up(daily({ cronId: id }))).toMatchObject({ step: "create" });
  expect(stack.id).toBe(id);
  expect(await crons()).toMatchObject([{ cron_id: id, schedule: "0 9 * * *" }]);
  await stack.destroy();
  expect(await crons()).toEqual([]);
});

test("drift is found and put right", async () => {
  const stack = world.stack("cron");
  await stack.up(daily({ endTime: "2027-01-31T18:00:00+01:00", metadata: { team: "sales" } }));
  await stack.refresh();
  const wanted = daily({ endTime: "2027-01-31T18:00:00+01:00", metadata: { team: "sales" } });
  expect(await stack.up(wanted)).toMatchObject({ step: "same" });
  await world.ask("PATCH", `/runs/crons/${stack.id}`, { schedule: "1 1 1 1 *", end_time: null });
  await stack.refresh();
  expect(await stack.up(wanted)).toMatchObject({ step: "update" });
  expect(await crons()).toMatchObject([
    { schedule: "0 9 * * *", end_time: expect.stringContaining("2027-01-31") },
  ]);
});

test("null takes the end away", async () => {
  const stack = world.stack("cron");
  await stack.up(daily({ endTime: "2027-01-31T18:00:00Z" }));
  await stack.up(daily({ endTime: null }));
  expect(await crons()).toMatchObject([{ end_time: null }]);
});

test("on a thread, it runs there", async () => {
  const { thread_id } = await world.ask<{ thread_id: string }>("POST", "/threads", {});
  const stack = world.stack("cron");
  await stack.up(daily({ threadId: thread_id, multitaskStrategy: "enqueue" }));
  expect(world.writes()).toEqual(["POST /threads/ID/runs/crons"]);
  expect(await crons()).toMatchObject([{ thread_id }]);
});

test.each<[string, object, string]>([
  ["a schedule", { schedule: "every day" }, "schedule: must have five fields"],
  ["a field of it", { schedule: "61 9 * * *" }, "schedule: must have five fields"],
  ["a time zone", { timezone: "Mars/Olympus" }, "timezone: must be the name of a time zone"],
  ["an end", { endTime: "tomorrow" }, "endTime: must be a time such as"],
  [
    "both kinds of threads",
    { threadId: "6b1c3d4e-0000-4000-8000-000000000001", onRunCompleted: "keep" },
    "onRunCompleted: is for runs on threads of their own",
  ],
])("%s that is wrong is said before anything is asked", async (_what, change, text) => {
  const { checkFailures } = await world.stack("cron").up(daily(change));
  expect(checkFailures.map(({ reason }) => reason).join()).toContain(text);
  expect(world.writes()).toEqual([]);
});

test("one that never fires is worth a warning", async () => {
  await world.stack("cron").check(daily({ endTime: "2025-01-01T00:00:00Z" }));
  expect(world.log.lines("warning").join()).toContain(
    "endTime: is before the first time that the schedule names",
  );
});
