import { fc } from "../../properties";
import { VirtualClock } from "../../../emulator/index";

test("fires timers on time, ordered by due time and then by creation", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 12 }), fc.nat(60), async (delays, ms) => {
      const clock = new VirtualClock(0);
      const fired: { place: number; at: number }[] = [];
      for (const [place, delay] of delays.entries())
        clock.after(delay, () => fired.push({ place, at: clock.now() }));
      await clock.advance(ms);
      const expected = delays
        .map((at, place) => ({ place, at }))
        .filter(({ at }) => at <= ms)
        .sort((one, other) => one.at - other.at || one.place - other.place);
      expect(fired).toEqual(expected);
      expect(clock.now()).toBe(ms);
    }),
    { numRuns: 50 },
  );
});

test("waits for promises that a timer resolves before the next timer fires", async () => {
  const clock = new VirtualClock(0);
  const seen: string[] = [];
  clock.after(10, () => {
    void Promise.resolve().then(() => clock.after(5, () => seen.push(`second at ${clock.now()}`)));
  });
  clock.after(20, () => seen.push(`third at ${clock.now()}`));
  await clock.advance(30);
  expect(seen).toEqual(["second at 15", "third at 20"]);
});

test("rounds up fractions of a millisecond", async () => {
  const clock = new VirtualClock(0);
  const seen: number[] = [];
  clock.after(1.2, () => seen.push(clock.now()));
  await clock.advance(2.5);
  expect([...seen, clock.now()]).toEqual([2, 3]);
});

test("ignores a canceled timer", async () => {
  const clock = new VirtualClock(0);
  const action = jest.fn();
  clock.after(1, action)();
  await clock.advance(10);
  expect(action).not.toHaveBeenCalled();
});

test("advances by the duration for which a client sleeps", async () => {
  const clock = new VirtualClock(0);
  const between = jest.fn();
  clock.after(1_000, between);
  await clock.advancingSleep(1_800_000);
  expect(clock.now()).toBe(1_800_000);
  expect(between).toHaveBeenCalledTimes(1);
});

test("advances to the wake time of each sleeping client in order", async () => {
  const clock = new VirtualClock(0);
  const woken: string[] = [];
  const sleeper = async (name: string, ms: number): Promise<void> => {
    await clock.advancingSleep(ms);
    woken.push(`${name} at ${clock.now()}`);
  };
  await Promise.all([sleeper("long", 60), sleeper("short", 20), sleeper("middle", 40)]);
  expect(woken).toEqual(["short at 20", "middle at 40", "long at 60"]);
});

test("ends a sleep when its signal aborts", async () => {
  const clock = new VirtualClock(0);
  const abort = new AbortController();
  clock.after(5, () => abort.abort(new Error("enough")));
  await expect(clock.advancingSleep(10, abort.signal)).rejects.toThrow("enough");
  expect(clock.now()).toBe(5);
  await expect(clock.sleep(10, abort.signal)).rejects.toThrow("enough");
});
