import { ChangeLoop } from "../../../cli/dev/change-loop";
import { VirtualClock } from "../../../emulator/index";

/** Starts a loop in virtual time. Each run of its work continues until the test ends it. */
function looped() {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const loop = new ChangeLoop({ now: () => clock.now(), sleep: (ms, signal) => clock.sleep(ms, signal) });
  const beginning = clock.now();
  const work = () => {
    started.push(clock.now() - beginning);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const ended = loop.run(work, stop.signal).catch((error: unknown) => (error as Error).message);
  return { clock, loop, started, ends, ended, stop };
}

test("starts a run after 100 ms without further changes", async () => {
  const { clock, loop, started } = looped();
  await clock.advance(1_000);
  expect(started).toEqual([]);
  loop.changed();
  await clock.advance(60);
  loop.changed();
  await clock.advance(139);
  expect(started).toEqual([]);
  await clock.advance(1);
  expect(started).toEqual([1_200]);
});

test("starts only one more run for all changes during a run", async () => {
  const { clock, loop, started, ends } = looped();
  loop.changed();
  await clock.advance(100);
  for (let change = 0; change < 5; change += 1) {
    loop.changed();
    await clock.advance(1_000);
  }
  expect(started).toHaveLength(1);
  ends[0]!();
  await clock.advance(200);
  expect(started).toHaveLength(2);
  ends[1]!();
  await clock.advance(60_000);
  expect(started).toHaveLength(2);
});

test("waits at most two seconds if the folder changes constantly", async () => {
  const { clock, loop, started } = looped();
  for (let at = 0; at < 3_000; at += 50) {
    loop.changed();
    await clock.advance(50);
  }
  expect(started).toEqual([2_000]);
});

test("stops on request while it waits for a change or for a quiet period", async () => {
  const idle = looped();
  await idle.clock.advance(10);
  idle.stop.abort(new Error("interrupted"));
  expect(await idle.ended).toBe("interrupted");
  const changed = looped();
  changed.loop.changed();
  await changed.clock.advance(50);
  changed.stop.abort(new Error("interrupted"));
  expect(await changed.ended).toBe("interrupted");
  expect(changed.started).toEqual([]);
});
