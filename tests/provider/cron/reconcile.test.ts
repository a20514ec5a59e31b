import { randomUUID } from "node:crypto";
import { AgentWorld } from "../agent-world";
import type { Stack } from "../stack";

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
  assistant_id: string;
  schedule: string;
  timezone: string | null;
  enabled: boolean;
  end_time: string | null;
  metadata: Record<string, unknown>;
  payload: Record<string, unknown>;
}

const crons = () => world.ask<Cron[]>("POST", "/runs/crons/search", {});
const newestCron = async () => (await crons())[0]!;

const daily = (change: object = {}) => ({
  ...world.deployment,
  assistant: "agent",
  schedule: "0 9 * * *",
  input: { messages: [{ role: "user", content: "report" }] },
  ...change,
});

test("creates a cron with one request, reports its next run times, and changes it in place", async () => {
  const stack = world.stack("cron");
  expect(await stack.up(daily({ timezone: "Europe/Berlin" }))).toEqual({ step: "create", checkFailures: [] });
  expect(world.writes()).toEqual(["POST /runs/crons"]);
  expect(stack.outputs["nextRuns"]).toEqual([
    "2026-01-01T08:00:00Z",
    "2026-01-02T08:00:00Z",
    "2026-01-03T08:00:00Z",
  ]);
  expect(world.log.kept).toContain("runs next at 2026-01-01T08:00:00Z, 2026-01-02T08:00:00Z");
  await stack.up(daily({ timezone: "Europe/Berlin", schedule: "0 10 * * *", enabled: false }));
  expect(world.writes()).toEqual(["PATCH /runs/crons/ID"]);
  expect(stack.outputs["nextRuns"]).toEqual([]);
  expect(await crons()).toMatchObject([{ schedule: "0 10 * * *", enabled: false }]);
  await stack.destroy();
  expect(await crons()).toEqual([]);
});

test("reports no run times in advance if the server keeps the value of an omitted input", async () => {
  const stack = world.stack("cron");
  await stack.up(daily({ timezone: "Europe/Berlin", enabled: false }));
  world.forget();
  await stack.up(daily({ timezone: "Europe/Berlin" }));
  expect(await newestCron()).toMatchObject({ enabled: false });
  await stack.up(daily({ timezone: "Europe/Berlin", enabled: true }));
  world.forget();
  await stack.up(daily({ schedule: "0 10 * * *" }));
  expect(await newestCron()).toMatchObject({ timezone: "Europe/Berlin" });
  expect(stack.outputs["nextRuns"]).toContain("2026-01-01T09:00:00Z");
  expect(world.log.kept).not.toContain("runs next at");
});

test.each([
  ["webhook", { webhook: "https://example.com/a" }],
  ["input", { input: { a: 1 } }],
] as const)("clears a %s that the program omitted before", async (field, declared) => {
  const stack = world.stack("cron");
  await stack.up(daily(declared));
  await stack.up(daily({ [field]: undefined }));
  expect((await newestCron()).payload[field]).toEqual(Object.values(declared)[0]);
  await stack.up(daily({ [field]: null }));
  expect(world.log.kept).toContain("Only a replacement can clear it");
  expect(JSON.stringify(stack.state)).not.toContain(JSON.stringify(declared[field as keyof typeof declared]));
  expect(await stack.up(daily({ [field]: null }))).toMatchObject({ step: "replace" });
  expect((await newestCron()).payload[field] ?? null).toBeNull();
  expect(await stack.up(daily({ [field]: null }))).toMatchObject({ step: "same" });
});

const keptValues = [
  ["webhook", { webhook: "https://hooks.example.com/former-token" }],
  ["input", { input: { password: "former-token" } }],
] as const;

test.each(keptValues)("does not store or display a former %s after a refresh", async (field, declared) => {
  const stack = world.stack("cron");
  stack.call = { secretPaths: [field] };
  await stack.up(daily(declared));
  stack.call = {};
  await stack.up(daily({ [field]: undefined }));
  await stack.up(daily({ [field]: null }));
  await stack.refresh();
  expect(stack.inputs).toMatchObject({ [field]: null });
  expect(stack.outputs).toMatchObject({ [field]: null, unclearedInputs: [field] });
  expect(JSON.stringify([stack.inputs, stack.outputs])).not.toContain("former-token");
  expect(await stack.preview(daily({ [field]: null }))).toMatchObject({ replaces: [field] });
  expect(world.log.kept).not.toContain("former-token");
  await stack.up(daily({ [field]: null }));
  expect((await newestCron()).payload[field] ?? null).toBeNull();
  expect(stack.outputs).not.toHaveProperty("unclearedInputs");
  await stack.refresh();
  expect(await stack.up(daily({ [field]: null }))).toMatchObject({ step: "same" });
});

test.each([
  ["an empty input", { input: { a: 1 } }, { input: {} }],
  ["another input", { input: { a: 1 } }, { input: { b: 2 } }],
  ["another webhook", { webhook: "https://example.com/a" }, { webhook: "/hook" }],
])("sends %s that the program declares instead of waiting for a replacement", async (_, first, next) => {
  const [field = ""] = Object.keys(first);
  const stack = world.stack("cron");
  await stack.up(daily(first));
  await stack.up(daily({ [field]: undefined }));
  await stack.up(daily({ [field]: null }));
  expect(await stack.up(daily(next))).toMatchObject({ step: "update" });
  expect(await newestCron()).toMatchObject({ cron_id: stack.id });
  expect((await newestCron()).payload[field]).toEqual(Object.values(next)[0]);
  expect(stack.outputs).not.toHaveProperty("unclearedInputs");
  await stack.refresh();
  expect(await stack.up(daily(next))).toMatchObject({ step: "same" });
});

test("replaces a cron on which others have set a cleared webhook", async () => {
  const stack = world.stack("cron");
  await stack.up(daily({ webhook: null }));
  await world.ask("PATCH", `/runs/crons/${stack.id}`, { webhook: "https://example.com/theirs" });
  await stack.refresh();
  expect(await stack.up(daily({ webhook: null }))).toMatchObject({ step: "replace" });
  expect((await newestCron()).payload).not.toHaveProperty("webhook");
  expect(JSON.stringify(stack.outputs) + world.log.kept).not.toContain("theirs");
});

test("keeps the next run times secret if the schedule is secret", async () => {
  const stack = world.stack("cron");
  const props = { __provider: "", __call: { urn: stack.urn, secretPaths: ["schedule"] } };
  const { inputs } = await stack.host.check({}, { ...props, ...daily() });
  expect(world.log.kept).not.toContain("runs next at");
  const { outs } = await stack.host.create({ ...props, ...inputs });
  expect(outs!["nextRuns"]).toHaveProperty("4dabf18193072939515e22adb298388d");
});

test.each(["before", "after"] as const)(
  "creates only one cron if the response is lost %s the request took effect",
  async (when) => {
    world.admin.fault({ kind: "reset", when, method: "POST", path: "/agents/:id/runs/crons" });
    expect(await world.stack("cron").up(daily())).toMatchObject({ step: "create" });
    expect(await crons()).toHaveLength(1);
  },
);

test("resumes an interrupted create, and removes a duplicate cron", async () => {
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
  expect(world.log.lines("warning").join()).toContain("Deleted duplicate cron");
});

test("sends unreported fields when it resumes an interrupted create", async () => {
  const stack = world.stack("cron");
  await stack.up(daily({ input: undefined }));
  stack.lose();
  stack.host = world.host("cron");
  const added = { webhook: "https://hooks.example.com/a", durability: "exit", input: { b: 1 } };
  expect(await stack.up(daily(added))).toMatchObject({ step: "create" });
  expect((await crons())[0]).toMatchObject({ payload: added });
});

const newAssistant = async () =>
  (await world.ask<{ assistant_id: string }>("POST", "/assistants", { graph_id: "agent" })).assistant_id;

const newCron = (change: object = {}) =>
  world.ask<Cron>("POST", "/runs/crons", { assistant_id: "agent", schedule: "0 1 * * *", ...change });

describe("cronId", () => {
  const cases: [string, () => Promise<Cron>, object, string | undefined][] = [
    ["adopts a cron without a tag", newCron, { adopt: "always" }, undefined],
    [
      "does not adopt a cron without a tag by default",
      newCron,
      {},
      "already exists and has no ownership tag",
    ],
    [
      "does not adopt a cron with adopt: never",
      newCron,
      { adopt: "never" },
      "already exists and has no ownership tag",
    ],
    [
      "does not adopt the cron of another stack by default",
      async () => {
        const theirs = world.stack("cron", "report", "prod");
        await theirs.up(daily());
        return { ...(await newestCron()), cron_id: theirs.id! };
      },
      {},
      "is owned by the resource shop/prod:report",
    ],
  ];
  test.each(cases)("%s", async (_what, make, change, message) => {
    const { cron_id: id, schedule } = await make();
    const stack = world.stack("cron");
    const { failure } = await stack.up(daily({ cronId: id, schedule: "0 3 * * *", ...change }));
    expect(failure?.message).toEqual(message === undefined ? undefined : expect.stringContaining(message));
    expect(await crons()).toMatchObject([
      { cron_id: id, schedule: message === undefined ? "0 3 * * *" : schedule },
    ]);
  });

  test("reports a missing cron", async () => {
    const { failure } = await world.stack("cron").up(daily({ cronId: randomUUID(), adopt: "always" }));
    expect(failure!.message).toMatch(/^Cron .* does not exist on this agent server\. Correct `cronId`/);
    expect(await crons()).toEqual([]);
  });

  test("reports a cron of another assistant or thread, and does not change it", async () => {
    const { cron_id: id } = await newCron();
    const assistant = await newAssistant();
    const stack = world.stack("cron");
    const { failure } = await stack.up(daily({ cronId: id, adopt: "always", assistant }));
    expect(failure!.message).toContain(`runs assistant`);
    expect(failure!.message).toContain(`instead of ${assistant}, which cannot be changed`);
    const { thread_id: threadId } = await world.ask<{ thread_id: string }>("POST", "/threads", {});
    const onThread = await world.stack("cron").up(daily({ cronId: id, adopt: "always", threadId }));
    expect(onThread.failure!.message).toContain(`runs on new threads instead of thread ${threadId}`);
    expect(await crons()).toMatchObject([{ cron_id: id, schedule: "0 1 * * *" }]);
    expect(world.log.kept).not.toContain("is adopted");
  });

  test("has no effect on the replacement of an adopted cron", async () => {
    const { cron_id: id } = await newCron();
    const stack = world.stack("cron");
    await stack.up(daily({ cronId: id, adopt: "always" }));
    expect(stack.id).toBe(id);
    for (const assistant of [await newAssistant(), await newAssistant()]) {
      const wanted = daily({ cronId: id, adopt: "always", assistant });
      expect(await stack.up(wanted)).toMatchObject({ step: "replace" });
      expect(await crons()).toMatchObject([{ cron_id: stack.id, assistant_id: assistant, enabled: true }]);
    }
    await stack.destroy();
    expect(await crons()).toEqual([]);
  });
});

test("does not change or delete a cron that another stack has adopted", async () => {
  const stack = world.stack("cron", "report", "dev");
  await stack.up(daily());
  const theirs = world.stack("cron", "report", "prod");
  await theirs.up(daily({ cronId: stack.id, adopt: "always" }));
  const { failure } = await stack.up(daily({ schedule: "5 5 * * *" }));
  expect(failure!.message).toContain("was not changed because it is owned by the resource shop/prod:report");
  await stack.destroy();
  expect(await crons()).toMatchObject([{ cron_id: theirs.id, schedule: "0 9 * * *" }]);
});

test("sends unreported fields when it reclaims a cron", async () => {
  const stack = world.stack("cron");
  const wanted = daily({ durability: "exit", adopt: "always" });
  await stack.up(wanted);
  const metadata = { agentserver_owner: "theirs", agentserver_resource: "acme/shop/prod:theirs" };
  const theirs = { metadata, durability: "sync", input: { theirs: true } };
  await world.ask("PATCH", `/runs/crons/${stack.id}`, theirs);
  const { payload: _, ...body } = await newestCron();
  const path = "/agents/:id/runs/crons/:cron";
  world.admin.fault({ kind: "status", status: 200, body, method: "GET", path });
  expect(await stack.up({ ...wanted, schedule: "0 10 * * *" })).toMatchObject({ step: "update" });
  expect((await newestCron()).payload).toMatchObject({ durability: "exit", input: wanted.input });
});

test.each<[string, (stack: Stack) => Promise<unknown>, number]>([
  ["a refresh", (stack) => stack.refresh(), 1],
  ["an update", (stack) => stack.up(daily({ schedule: "0 10 * * *" })), 1],
  ["a destroy", (stack) => stack.destroy(), 0],
])("removes a duplicate cron during %s", async (_what, operate, left) => {
  const stack = world.stack("cron");
  await stack.up(daily());
  const { metadata } = await newestCron();
  // A request whose response was lost takes effect late.
  await newCron({ metadata });
  const { cron_id: theirs } = await newCron({ metadata: { team: "sales" } });
  await operate(stack);
  const found = (await crons()).map(({ cron_id: id }) => id);
  expect(found.filter((id) => id !== theirs)).toEqual(left === 0 ? [] : [stack.id]);
  expect(found).toContain(theirs);
  expect(world.log.lines("warning").join()).toContain("Deleted duplicate cron");
});

test("keeps a disabled cron of a replacement in progress when another process refreshes", async () => {
  const stack = world.stack("cron");
  await stack.up(daily());
  const { metadata } = await newestCron();
  const { cron_id: id } = await newCron({ metadata, enabled: false });
  await stack.refresh();
  expect((await crons()).map((cron) => cron.cron_id)).toContain(id);
});

test("detects and corrects drift", async () => {
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

test.each<[string, object, (theirs: Cron) => object, object]>([
  [
    "a key in the input",
    { input: { messages: [] } },
    () => ({ input: { messages: [], command: "rm" } }),
    { input: { messages: [] } },
  ],
  [
    "a key in the context",
    { context: { style: "brief" } },
    () => ({ context: { style: "brief", admin: true } }),
    { context: { style: "brief" } },
  ],
  [
    "another webhook",
    { webhook: "https://example.com/a" },
    () => ({ webhook: "https://example.com/b" }),
    { webhook: "https://example.com/a" },
  ],
  ["a disabled cron", { enabled: true }, () => ({ enabled: false }), {}],
  ["a time zone", { timezone: null }, () => ({ timezone: "Asia/Tokyo" }), {}],
  [
    "a removed interrupt",
    { interruptBefore: ["a"] },
    () => ({ interrupt_before: [] }),
    { interrupt_before: ["a"] },
  ],
])("detects and reverts external changes: %s", async (_what, declared, theirs, payload) => {
  const stack = world.stack("cron");
  const wanted = daily(declared);
  await stack.up(wanted);
  await world.ask("PATCH", `/runs/crons/${stack.id}`, theirs(await newestCron()));
  await stack.refresh();
  expect(await stack.up(wanted)).toMatchObject({ step: "update" });
  expect(await newestCron()).toMatchObject({ enabled: true, payload });
  expect(["UTC", null]).toContain((await newestCron()).timezone);
  await stack.refresh();
  expect(await stack.up(wanted)).toMatchObject({ step: "same" });
});

test("reverts an external change to a field in an update without a refresh", async () => {
  const stack = world.stack("cron");
  await stack.up(daily({ context: { style: "brief" } }));
  await world.ask("PATCH", `/runs/crons/${stack.id}`, { context: { style: "long" } });
  await stack.up(daily({ context: { style: "brief" }, schedule: "0 10 * * *" }));
  expect(await newestCron()).toMatchObject({
    schedule: "0 10 * * *",
    payload: { context: { style: "brief" } },
  });
});

test("reports a disabled cron and a webhook that the program does not declare", async () => {
  const stack = world.stack("cron");
  await stack.up(daily());
  await world.ask("PATCH", `/runs/crons/${stack.id}`, {
    webhook: "https://example.com/theirs",
    enabled: false,
  });
  await stack.refresh();
  expect(stack.outputs["nextRuns"]).toEqual([]);
  expect(await stack.up(daily())).toMatchObject({ step: "same" });
  const infos = world.log.lines("info").join();
  expect(infos).toContain("is disabled on the server. To enable it, set `enabled: true`");
  expect(infos).toContain("has a webhook that this program does not declare");
  expect(infos).not.toContain("example.com");
});

test.each<[string, object, object, object]>([
  ["endTime", { endTime: "2027-01-31T18:00:00Z" }, { end_time: null }, {}],
  ["timezone", { timezone: "Asia/Tokyo" }, { timezone: "UTC" }, {}],
  ["durability", { durability: "sync" }, {}, { durability: "async" }],
  ["enabled", { enabled: false }, { enabled: true }, {}],
  ["config", { config: { tags: ["a"] } }, {}, { config: {} }],
  ["context", { context: { style: "brief" } }, {}, { context: {} }],
  ["interruptAfter", { interruptAfter: "*" }, {}, { interrupt_after: [] }],
  ["onRunCompleted", { onRunCompleted: "keep" }, { on_run_completed: "delete" }, {}],
])("clears %s with null in place", async (field, declared, record, payload) => {
  const stack = world.stack("cron");
  await stack.up(daily(declared));
  expect(await stack.up(daily({ [field]: null }))).toMatchObject({ step: "update" });
  expect(await newestCron()).toMatchObject({ cron_id: stack.id, ...record, payload });
  await stack.refresh();
  expect(await stack.up(daily({ [field]: null }))).toMatchObject({ step: "same" });
});

test.each(["webhook", "input"] as const)("clears %s with null by replacing the cron", async (field) => {
  const stack = world.stack("cron");
  await stack.up(daily({ webhook: "https://example.com/a" }));
  expect(await stack.up(daily({ [field]: null }))).toMatchObject({ step: "replace" });
  expect((await newestCron()).payload).not.toHaveProperty(field);
  expect(await crons()).toHaveLength(1);
  await world.ask("PATCH", `/runs/crons/${stack.id}`, {
    [field]: field === "input" ? { a: 1 } : "https://example.com/b",
  });
  await stack.up(daily({ [field]: null, schedule: "0 10 * * *" }));
  expect(world.log.lines("warning").join()).toContain(`The \`${field}\` of cron ${stack.id} is still set`);
  expect(await stack.up(daily({ [field]: null, schedule: "0 10 * * *" }))).toMatchObject({ step: "replace" });
  expect((await newestCron()).payload).not.toHaveProperty(field);
});

test("sends nothing for an omitted field, and reports the next run times that the server returns", async () => {
  const stack = world.stack("cron");
  await stack.up(daily({ enabled: false, webhook: "https://example.com/a", timezone: "Asia/Tokyo" }));
  world.forget();
  await stack.up(daily());
  expect(world.writes()).toEqual([]);
  expect(stack.outputs["nextRuns"]).toEqual([]);
  expect(await newestCron()).toMatchObject({ enabled: false, payload: { webhook: "https://example.com/a" } });
  await world.ask("PATCH", `/runs/crons/${stack.id}`, { enabled: true });
  await stack.refresh();
  expect((stack.outputs["nextRuns"] as string[])[0]).toBe("2026-01-02T00:00:00Z");
});

test("removes metadata keys that the program no longer declares, and no others", async () => {
  const stack = world.stack("cron");
  await stack.up(daily({ metadata: { team: "sales", tier: 1 } }));
  await world.ask("PATCH", `/runs/crons/${stack.id}`, { metadata: { theirs: true } });
  await stack.up(daily({ metadata: { tier: 1 } }));
  expect((await newestCron()).metadata).toMatchObject({ theirs: true, team: null, tier: 1 });
  await stack.up(daily({ metadata: null }));
  expect((await newestCron()).metadata).toMatchObject({ theirs: true, tier: null });
  await stack.destroy();
  expect(await crons()).toEqual([]);
});

test.each([
  ["a graph", "breif"],
  ["an assistant", randomUUID()],
])("rejects %s that does not exist, even in the preview", async (_what, assistant) => {
  const stack = world.stack("cron");
  await stack.up(daily());
  const { checkFailures } = await stack.up(daily({ assistant }));
  expect(checkFailures.map(({ reason }) => reason).join()).toContain(
    `assistant: is ${assistant}, but the agent server has no such assistant or graph`,
  );
  expect(await crons()).toMatchObject([{ cron_id: stack.id }]);
});

test("accepts an assistant that the same program creates", async () => {
  const [assistant, cron] = world.stacks(["assistant", "cron"]);
  const declared = await assistant!.check({ ...world.deployment, graph: "agent" });
  const id = declared.inputs["assistantId"];
  expect((await cron!.check(daily({ assistant: id }))).failures).toEqual([]);
});

test("creates a cron on a thread", async () => {
  const { thread_id } = await world.ask<{ thread_id: string }>("POST", "/threads", {});
  const stack = world.stack("cron");
  await stack.up(daily({ threadId: thread_id, multitaskStrategy: "enqueue" }));
  expect(world.writes()).toEqual(["POST /threads/ID/runs/crons"]);
  expect(await crons()).toMatchObject([{ thread_id }]);
});

test.each<[string, object, string]>([
  ["a schedule", { schedule: "every day" }, "schedule: must have five fields"],
  ["a field of a schedule", { schedule: "61 9 * * *" }, "schedule: must have five fields"],
  [
    "a day of the month",
    { schedule: "0 0 30 2 *" },
    "schedule: matches no time, so the cron would never run",
  ],
  ["a time zone", { timezone: "Mars/Olympus" }, "timezone: must be the name of a time zone"],
  ["an end time", { endTime: "tomorrow" }, "endTime: must be a time such as"],
  [
    "a combination of thread settings",
    { threadId: "6b1c3d4e-0000-4000-8000-000000000001", onRunCompleted: "keep" },
    "onRunCompleted: cannot be combined with threadId",
  ],
  [
    "a combination of context settings",
    { config: { configurable: { a: 1 } }, context: { b: 1 } },
    "config.configurable: cannot be combined with context",
  ],
  ["a webhook", { webhook: "https://example.com/a b" }, "webhook: must be a URL or a path without spaces"],
  ["an input", { input: "report" }, "input: must be an object or a list of objects"],
  ["an item of an input", { input: [{ a: 1 }, 2] }, "must be an object or a list of objects"],
])("rejects %s that is invalid, before it sends a request", async (_what, change, text) => {
  const { checkFailures } = await world.stack("cron").up(daily(change));
  expect(checkFailures.map(({ reason }) => reason).join()).toContain(text);
  expect(world.writes()).toEqual([]);
});

test.each<[string, object]>([
  ["metadata with a cleared entry", { metadata: { a: 1, b: null } }],
  ["metadata with only a cleared entry", { metadata: { b: null } }],
  ["empty metadata", { metadata: {} }],
  ["a configuration with a cleared entry", { config: { tags: ["a"], b: null } }],
  ["configurable with a cleared entry", { config: { configurable: { a: 1, b: null } } }],
  ["configurable with only a cleared entry", { config: { configurable: { b: null } } }],
  ["empty configurable", { config: { tags: ["a"], configurable: {} } }],
  ["an empty configuration", { config: {} }],
  ["an empty context", { context: {} }],
  ["the default time zone", { timezone: "UTC" }],
])("creates a cron with %s in one request, and detects no drift", async (_what, change) => {
  const stack = world.stack("cron");
  await stack.up(daily(change));
  expect(world.writes()).toEqual(["POST /runs/crons"]);
  await stack.refresh();
  expect(await stack.up(daily(change))).toMatchObject({ step: "same" });
});

test.each([
  ["changed a cleared entry", { config: { tags: ["a"], b: null } }, { tags: ["a"], b: 1 }],
  ["removed the configuration", { config: { tags: ["a"] } }, {}],
])("reverts a configuration in which others have %s", async (_what, declared, config) => {
  const stack = world.stack("cron");
  await stack.up(daily(declared));
  await world.ask("PATCH", `/runs/crons/${stack.id}`, { config });
  await stack.refresh();
  expect(await stack.up(daily(declared))).toMatchObject({ step: "update" });
  expect((await newestCron()).payload["config"]).toMatchObject(declared.config);
  await stack.refresh();
  expect(await stack.up(daily(declared))).toMatchObject({ step: "same" });
});

test.each<[string, object]>([
  ["updates", {}],
  ["adopts", { adopt: "always" }],
])("does not warn about the end time of a cron that it %s without a time zone", async (_what, change) => {
  const { cron_id: cronId } = await newCron({ schedule: "0 9 * * *", timezone: "Europe/Berlin" });
  const stack = world.stack("cron");
  if (!("adopt" in change)) await stack.up(daily({ cronId, adopt: "always", timezone: "Europe/Berlin" }));
  await stack.up(daily({ cronId, ...change, endTime: "2026-01-01T08:30:00Z" }));
  expect(stack.outputs["nextRuns"]).toEqual(["2026-01-01T08:00:00Z"]);
  expect(world.log.kept).not.toContain("never runs");
});

test("warns about a cron that never runs", async () => {
  await world.stack("cron").check(daily({ endTime: "2025-01-01T00:00:00Z" }));
  expect(world.log.lines("warning").join()).toContain(
    "endTime: is before the next time of the schedule, so the cron never runs",
  );
});
