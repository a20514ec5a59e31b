import { join } from "node:path";
import { VirtualClock } from "../../../emulator/index";
import type { Agent } from "../../../emulator/gateway/book/agent";
import { Book } from "../../../emulator/gateway/book/book";
import { Refusal } from "../../../emulator/gateway/call/refusal";
import { temporaryFolder } from "../rollout/repository";

let clock: VirtualClock;
let book: Book;
let serving: boolean;
/** Assistants that cannot run now. */
let broken: Set<string>;
/** The assistants of the runs that were started. */
let started: string[];
/** What the agent's answers wait for. */
let answering: Promise<void>;

const agent = {
  runtime: {
    async send(_method: string, _path: string, run: { assistant_id: string }) {
      await answering;
      if (broken.has(run.assistant_id)) throw new Refusal(500, "broken");
      started.push(run.assistant_id);
      return { resume: () => undefined };
    },
  },
} as unknown as Agent;

beforeEach(() => {
  [serving, broken, started, answering] = [true, new Set(), [], Promise.resolve()];
  clock = new VirtualClock();
  book = new Book(join(temporaryFolder("book"), "book.db"), {
    clock,
    agent: () => (serving ? agent : undefined),
    complain: (error) => {
      throw error;
    },
  });
});
afterEach(() => book.close());

const seconds = (count: number) => clock.advance(count * 1000);
const everyMinute = (assistant: string) =>
  book.crons.create({
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

test("what was due while no agent served is made up for once for each cron", async () => {
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

test("a cron that cannot run holds up no other, and is made up for once", async () => {
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

test("a cron that is due again while the agent is being asked runs again", async () => {
  everyMinute("slow");
  let answer = (): void => undefined;
  answering = new Promise((resolve) => (answer = resolve));
  await seconds(2 * 60);
  answer();
  await seconds(1);
  expect(started).toEqual(["slow", "slow"]);
});
