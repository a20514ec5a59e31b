import { join } from "node:path";
import { VirtualClock } from "../../../../emulator/index";
import type { Agent } from "../../../../emulator/gateway/timers/agent";
import { DeploymentTimers } from "../../../../emulator/gateway/timers/deployment-timers";
import { Refusal } from "../../../../emulator/gateway/request/refusal";
import { temporaryFolder } from "../../rollout/repository";

let clock: VirtualClock;
let file: string;
let timers: DeploymentTimers;
let serving: boolean;
/** Assistants whose runs the agent rejects. */
let broken: Set<string>;
/** Assistants of the runs that were started. */
let started: string[];
/** Value of the `x-cron-delivery` header in each request, in order: the ID of the cron and the due time. */
let identities: string[];
/** Resolves when the agent starts to respond. */
let answering: Promise<void>;

/** Time limits of the requests, in milliseconds. */
let limits: number[];

const client = {
  within(milliseconds: number) {
    limits.push(milliseconds);
    return this;
  },
  with(headers: Record<string, string>) {
    identities.push(headers["x-cron-delivery"]!);
    return this;
  },
  async send(_method: string, _path: string, run: { assistant_id: string }) {
    await answering;
    if (broken.has(run.assistant_id)) throw new Refusal(502, "broken");
    started.push(run.assistant_id);
    return { resume: () => undefined };
  },
};
const agent = { client, internalApi: { documented: false } } as unknown as Agent;

beforeEach(() => {
  [serving, broken, started, identities, limits] = [true, new Set(), [], [], []];
  answering = Promise.resolve();
  clock = new VirtualClock();
  file = join(temporaryFolder("timers"), "timers.db");
  timers = open();
});
afterEach(() => timers.close());

/** Opens the timers of the same deployment again, as after a restart. */
function open(): DeploymentTimers {
  return new DeploymentTimers(file, {
    clock,
    agent: () => (serving ? agent : undefined),
    reportError: (error) => {
      throw error;
    },
  });
}

const seconds = (count: number) => clock.advance(count * 1000);
const everyMinute = (assistant: string) =>
  timers.crons.create({
    assistant_id: assistant,
    thread_id: null,
    schedule: "* * * * *",
    timezone: null,
    end_time: null,
    payload: {},
    metadata: {},
    on_run_completed: null,
    enabled: true,
  });

test("starts one run per cron for all runs that were missed while no agent was available", async () => {
  for (const assistant of ["one", "two"]) everyMinute(assistant);
  serving = false;
  await seconds(10 * 60 + 30);
  expect(started).toEqual([]);
  serving = true;
  await seconds(1);
  expect(started).toEqual(["one", "two"]);
  await seconds(60);
  expect(started).toEqual(["one", "two", "one", "two"]);
});

test("starts the runs of other crons while one cron fails, and retries that cron later", async () => {
  for (const assistant of ["bad", "good"]) everyMinute(assistant);
  broken.add("bad");
  await seconds(3 * 60 + 30);
  expect(started).toEqual(["good", "good", "good"]);
  broken.clear();
  await seconds(1);
  expect(started).toEqual(["good", "good", "good", "bad"]);
  await seconds(20);
  expect(started).toHaveLength(4);
});

test("starts the next run of a cron even if its previous run is still starting when it is due", async () => {
  everyMinute("slow");
  let answer = (): void => undefined;
  answering = new Promise((resolve) => (answer = resolve));
  await seconds(2 * 60);
  answer();
  await seconds(1);
  expect(started).toEqual(["slow", "slow"]);
});

test("starts the runs that are due at the same time without waiting for each response", async () => {
  const crons = Array.from({ length: 30 }, (_, index) => everyMinute(`cron-${index}`));
  let answer = (): void => undefined;
  answering = new Promise((resolve) => (answer = resolve));
  const due = clock.now() - (clock.now() % 60_000) + 60_000;
  await seconds(60);
  expect(identities.sort()).toEqual(crons.map(({ cron_id: id }) => `${id} ${due}`).sort());
  expect(started).toEqual([]);
  answer();
  await seconds(1);
  expect(started).toHaveLength(30);
});

test("repeats a request with the same identity if its response was lost", async () => {
  const { cron_id: id } = everyMinute("lost");
  const due = clock.now() + 60_000;
  broken.add("lost");
  await seconds(62);
  broken.clear();
  await seconds(1);
  expect(new Set(identities)).toEqual(new Set([`${id} ${due}`]));
  expect(started).toEqual(["lost"]);
  await seconds(60);
  expect(identities.at(-1)).toBe(`${id} ${due + 60_000}`);
});

test("does not start the pending run of a cron that was disabled", async () => {
  const { cron_id: id } = everyMinute("disabled");
  serving = false;
  await seconds(60);
  timers.crons.update(id, { enabled: false });
  serving = true;
  await seconds(60);
  expect(started).toEqual([]);
  timers.crons.update(id, { enabled: true });
  await seconds(60);
  expect(started).toEqual(["disabled"]);
});

test("keeps the pending run of a cron if a change that would disable it is rejected", async () => {
  const { cron_id: id } = everyMinute("pending");
  serving = false;
  await seconds(60);
  expect(() => timers.crons.update(id, { enabled: false, schedule: "0 0 30 2 *" })).toThrow(Refusal);
  serving = true;
  await seconds(1);
  expect(started).toEqual(["pending"]);
});

test("waits at most one minute for a response when it starts a run", async () => {
  everyMinute("silent");
  await seconds(60);
  expect(started).toEqual(["silent"]);
  expect(limits).toEqual([60_000]);
});

test("starts only the latest run that was missed while the control plane was down", async () => {
  const { cron_id: id } = everyMinute("missed");
  const due = clock.now() - (clock.now() % 60_000) + 5 * 60_000;
  timers.close();
  await seconds(5 * 60 + 10);
  timers = open();
  await seconds(1);
  expect(identities).toEqual([`${id} ${due}`]);
});

test("does not start a missed run after the end time of the cron", async () => {
  const { cron_id: id } = everyMinute("ended");
  const first = clock.now() - (clock.now() % 60_000) + 60_000;
  timers.crons.update(id, { end_time: first + 90_000 });
  timers.close();
  await seconds(10 * 60);
  timers = open();
  await seconds(1);
  expect(identities).toEqual([`${id} ${first + 60_000}`]);
});

test("starts a run that is due even if the cron is changed before the timer fires", async () => {
  const { cron_id: id } = everyMinute("changed");
  timers.close();
  await seconds(60);
  timers = open();
  timers.crons.update(id, { metadata: { changed: true } });
  await seconds(1);
  expect(started).toEqual(["changed"]);
});
