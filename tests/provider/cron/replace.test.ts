import { randomUUID } from "node:crypto";
import { AgentWorld } from "../agent-world";
import { everyKill, killedAt } from "../killed";
import type { Stack } from "../stack";

let world: AgentWorld;
let other: string;
beforeAll(async () => {
  world = await AgentWorld.start();
  other = (await world.ask<{ assistant_id: string }>("POST", "/assistants", { graph_id: "agent" }))
    .assistant_id;
});
beforeEach(() => world.forget());
afterEach(async () => {
  for (const { cron_id: id } of await crons()) await world.ask("DELETE", `/runs/crons/${id}`);
});

interface Cron {
  cron_id: string;
  assistant_id: string;
  schedule: string;
  enabled: boolean;
  payload: Record<string, unknown>;
}

const crons = () => world.ask<Cron[]>("POST", "/runs/crons/search", {});

const daily = (change: object = {}) => ({
  ...world.deployment,
  assistant: "agent",
  schedule: "0 9 * * *",
  input: { messages: [] },
  ...change,
});

/** A number that is greater than the number of requests that any of these operations sends. */
const most = 5;

/** Returns the maximum number of crons that were enabled at the same time during the operation. */
async function mostEnabled(work: (afterEach: () => Promise<void>) => Promise<unknown>): Promise<number> {
  let found = 0;
  await work(async () => {
    const enabled = (await crons()).filter((cron) => cron.enabled);
    found = Math.max(found, enabled.length);
  });
  return found;
}

async function start(): Promise<Stack> {
  const stack = world.stack("cron");
  expect(await stack.up(daily())).toMatchObject({ step: "create" });
  world.forget();
  return stack;
}

test("creates the new cron disabled, deletes the old one, and enables the new one", async () => {
  const stack = await start();
  const wanted = daily({ assistant: other });
  expect(await stack.preview(wanted)).toMatchObject({ replaces: ["assistant"], deleteBeforeReplace: false });
  const enabled = await mostEnabled((afterEach) =>
    killedAt({ request: Infinity, isCarriedOut: true }, () => stack.up(wanted), afterEach),
  );
  expect(enabled).toBe(1);
  expect(world.writes()).toEqual([]);
  expect(await crons()).toMatchObject([{ cron_id: stack.id, assistant_id: other, enabled: true }]);
  expect(stack.outputs["nextRuns"]).toHaveLength(3);
  expect(await stack.up(wanted)).toMatchObject({ step: "same" });
  await stack.destroy();
  expect(await crons()).toEqual([]);
});

test("sends exactly one request per step of a replacement", async () => {
  const stack = await start();
  await stack.up(daily({ assistant: other }));
  expect(world.writes()).toEqual(["POST /runs/crons", "DELETE /runs/crons/ID", "PATCH /runs/crons/ID"]);
});

test("deletes the old cron first if it moves to another server, so that only one of them runs", async () => {
  const stack = await start();
  const moved = daily({ deployment: { id: randomUUID(), url: world.url } });
  expect(await stack.preview(moved)).toMatchObject({ replaces: ["deployment"], deleteBeforeReplace: true });
});

test("keeps the old cron if the new one cannot be created", async () => {
  const stack = await start();
  world.admin.fault({ kind: "status", status: 422, method: "POST", path: "/agents/:id/runs/crons" });
  expect(await stack.up(daily({ assistant: other }))).toMatchObject({ step: "refused" });
  expect(await crons()).toMatchObject([{ cron_id: stack.id, enabled: true }]);
});

test.each([
  ["an enabled cron, and enables the new one", {}, true],
  ["a disabled cron, and leaves the new one disabled", { enabled: false }, false],
])("replaces %s", async (_what, change, enabled) => {
  const stack = world.stack("cron");
  await stack.up(daily(change));
  await stack.up(daily({ ...change, assistant: other }));
  expect(await crons()).toMatchObject([{ assistant_id: other, enabled }]);
});

test.each(everyKill(most))("converges after a replacement was killed at %j", async (kill) => {
  const stack = await start();
  const wanted = daily({ assistant: other, schedule: "0 10 * * *" });
  const enabled = await mostEnabled(async (afterEach) => {
    await killedAt(kill, () => stack.up(wanted), afterEach);
    stack.host = world.host("cron");
    await killedAt({ request: Infinity, isCarriedOut: true }, () => stack.up(wanted), afterEach);
  });
  expect(enabled).toBe(1);
  expect(await crons()).toMatchObject([
    { cron_id: stack.id, assistant_id: other, schedule: "0 10 * * *", enabled: true },
  ]);
  expect(await stack.up(wanted)).toMatchObject({ step: "same" });
  await stack.destroy();
  expect(await crons()).toEqual([]);
});

test.each(everyKill(most))("returns to the old inputs after a replacement was killed at %j", async (kill) => {
  const stack = await start();
  await killedAt(kill, () => stack.up(daily({ assistant: other })));
  stack.host = world.host("cron");
  await stack.refresh();
  const changed = daily({ schedule: "0 11 * * *" });
  await stack.up(changed);
  const agent = (await crons())[0]!.assistant_id;
  expect(agent).not.toBe(other);
  expect(await crons()).toMatchObject([{ cron_id: stack.id, schedule: "0 11 * * *", enabled: true }]);
  expect(await stack.up(changed)).toMatchObject({ step: "same" });
});

test.each(everyKill(most))(
  "leaves nothing behind if destroy follows a replacement that was killed at %j",
  async (kill) => {
    const stack = await start();
    await killedAt(kill, () => stack.up(daily({ assistant: other })));
    stack.host = world.host("cron");
    await stack.destroy();
    expect(await crons()).toEqual([]);
  },
);

test.each(everyKill(4))(
  "creates only one cron if its create is killed at %j, regardless of later changes",
  async (kill) => {
    for (const change of [
      {},
      { schedule: "0 10 * * *", metadata: { of: "b" } },
      { assistant: other },
      { input: undefined },
      { webhook: "https://example.com/hook" },
    ]) {
      const stack = world.stack("cron");
      const first = daily({ metadata: { of: "a", was: 1 }, webhook: "https://example.com/old" });
      await killedAt(kill, () => stack.up(first));
      stack.host = world.host("cron");
      const wanted = { ...daily({ metadata: { of: "a" } }), ...change };
      if (stack.id === undefined) expect(await stack.up(wanted)).toMatchObject({ step: "create" });
      else continue;
      const fresh = world.stack("cron");
      await fresh.up(wanted);
      const [made, expected] = await Promise.all(
        [stack.id, fresh.id].map((id) => world.ask<Cron>("GET", `/runs/crons/${id}`)),
      );
      for (const field of ["assistant_id", "schedule", "enabled"] as const)
        expect(made![field]).toEqual(expected![field]);
      const config = { configurable: { cron_id: stack.id } };
      expect(made!.payload).toEqual({ ...expected!.payload, config });
      expect(await crons()).toHaveLength(2);
      await stack.destroy();
      await fresh.destroy();
      expect(await crons()).toEqual([]);
    }
  },
);
