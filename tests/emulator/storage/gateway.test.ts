import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { VirtualClock } from "../../../emulator/index";
import type { Agent } from "../../../emulator/gateway/timers/agent";
import { TimerRegistry } from "../../../emulator/gateway/timers/timer-registry";
import { temporaryFolder } from "../rollout/repository";
import { databasesFail } from "./failing-databases";

const opened: TimerRegistry[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  opened.splice(0).forEach((timerRegistry) => timerRegistry.close());
});

/**
 * Opens the timers of a gateway whose agents accept every request.
 *
 * @param taking - Called for each request.
 */
function keep(folder = temporaryFolder("timers"), taking = (): void => undefined) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const identities: string[] = [];
  const faults: unknown[] = [];
  const answer = { statusCode: 200, resume: () => answer };
  const ask = async (method: string, path: string) => {
    asked.push(`${method} ${path}`);
    taking();
    return answer;
  };
  const client = {
    send: ask,
    raw: ask,
    with(headers: Record<string, string>) {
      identities.push(headers["x-cron-delivery"]!);
      return this;
    },
    within() {
      return this;
    },
  };
  const agent = { client, internalApi: {} } as unknown as Agent;
  const timerRegistry = new TimerRegistry({
    clock,
    dataFolder: (id) => join(folder, id),
    agent: () => agent,
    reportError: (error) => faults.push(error),
  });
  opened.push(timerRegistry);
  return { timerRegistry, clock, asked, identities, faults };
}

const hourly = {
  assistant_id: "agent",
  thread_id: null,
  schedule: "0 * * * *",
  timezone: null,
  end_time: null,
  payload: {},
  metadata: {},
  on_run_completed: null,
  enabled: true,
};
const hour = 3_600_000;

test("starts one run of a cron that was due while the database was not writable", async () => {
  const { timerRegistry, clock, asked, faults } = keep();
  const cron = timerRegistry.of("one").crons.create(hourly);
  const repair = databasesFail();
  await clock.advance(hour + 5_000);
  expect(asked).toEqual([]);
  expect(faults).not.toEqual([]);
  repair();
  await clock.advance(2_000);
  expect(asked).toEqual(["POST /runs"]);
  await clock.advance(hour);
  expect(asked).toEqual(["POST /runs", "POST /runs"]);
  expect(timerRegistry.of("one").crons.find(cron.cron_id)).toBeDefined();
});

test("repeats a request with the same identity until the accepted run can be recorded", async () => {
  let repair: (() => void) | undefined;
  const { timerRegistry, clock, asked, identities } = keep(
    undefined,
    () => void (repair ??= databasesFail()),
  );
  const { cron_id: id } = timerRegistry.of("one").crons.create(hourly);
  const due = clock.now() + hour;
  await clock.advance(hour + 10_000);
  repair!();
  await clock.advance(10_000);
  const { length } = asked;
  expect(new Set(identities)).toEqual(new Set([`${id} ${due}`]));
  await clock.advance(10_000);
  expect(asked).toHaveLength(length);
  await clock.advance(hour);
  expect(identities.at(-1)).toBe(`${id} ${due + hour}`);
});

test("deletes an expired thread when the database becomes writable again", async () => {
  const { timerRegistry, clock, asked } = keep();
  const { threadTtls } = timerRegistry.of("one");
  threadTtls.set("thread-1", "delete", 1);
  const repair = databasesFail();
  await clock.advance(120_000);
  repair();
  await clock.advance(2_000);
  expect(threadTtls.of("thread-1")).toBeUndefined();
  expect(asked).toContain("DELETE /threads/thread-1");
});

test("reports damaged data of one deployment, and continues to serve the others", () => {
  const folder = temporaryFolder("timers");
  for (const [name, text] of [
    ["bad", "not a database at all. ".repeat(500)],
    ["good", ""],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "gateway.sqlite"), text);
  }
  const { timerRegistry, faults } = keep(folder);
  timerRegistry.resume(["bad", "good", "none"]);
  const why = `${join(folder, "bad", "gateway.sqlite")} is damaged: file is not a database.`;
  expect(faults.map(String)).toEqual([expect.stringContaining(why)]);
  expect(() => timerRegistry.of("bad")).toThrow(why);
  expect(timerRegistry.of("good").crons.list({})).toEqual([]);
});
