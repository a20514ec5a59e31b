import { VirtualClock } from "../../../emulator/index";
import { Pace, type Turn } from "../../../provider/http/pace";

function at(perSecond?: number) {
  const clock = new VirtualClock(0);
  return { clock, pace: new Pace({ now: () => clock.now(), sleep: clock.advancingSleep }, perSecond) };
}

/** Returns the times at which this number of requests are sent, in milliseconds; "late" for a rejected one. */
async function turns(
  pace: Pace,
  clock: VirtualClock,
  count: number,
  turn?: Turn,
): Promise<(number | "late")[]> {
  const one = async () => ((await pace.turn(turn)) ? clock.now() : "late");
  return Promise.all(Array.from({ length: count }, one));
}

test("sends a burst of five seconds' requests, then the budget per second, in order", async () => {
  const { clock, pace } = at(2);

  expect(await turns(pace, clock, 14)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 500, 1_000, 1_500, 2_000]);
});

test("accumulates no more than one burst while no requests are sent", async () => {
  const { clock, pace } = at(2);
  await turns(pace, clock, 10);
  await clock.advance(3_600_000);

  const after = (await turns(pace, clock, 12)).map((ms) => Number(ms) - 3_600_000);

  expect(after).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 500, 1_000]);
});

test("does not delay requests if there is no limit", async () => {
  const { clock, pace } = at();

  expect(new Set(await turns(pace, clock, 1_000))).toEqual(new Set([0]));
});

test("delays all requests while the service requests a pause; the longest pause applies", async () => {
  const { clock, pace } = at();
  pace.pause(20_000);
  pace.pause(5_000);

  expect(await turns(pace, clock, 3)).toEqual([20_000, 20_000, 20_000]);
});

test("stays within the budget after a pause, without a burst", async () => {
  const { clock, pace } = at(10);
  pace.pause(60_000);

  const sent = (await turns(pace, clock, 1_000)).map(Number);

  for (let from = 0; from < 170_000; from += 500)
    expect(sent.filter((ms) => ms >= from && ms < from + 1_000).length).toBeLessThanOrEqual(10);
  expect(sent[0]).toBe(60_000);
  expect(sent.at(-1)).toBe(60_000 + 99_900);
});

test("stays within the budget when a pause starts while requests are waiting", async () => {
  const { clock, pace } = at(1);
  const sent = turns(pace, clock, 8);
  clock.after(1_500, () => pace.pause(10_000));

  expect(await sent).toEqual([0, 0, 0, 0, 0, 1_000, 11_500, 12_500]);
});

test("rejects a request immediately if a pause would delay it beyond its deadline", async () => {
  const { clock, pace } = at();
  pace.pause(20_000);

  expect(await turns(pace, clock, 1, { latest: 19_999 })).toEqual(["late"]);
  expect(clock.now()).toBe(0);
  expect(await turns(pace, clock, 1, { latest: 20_000 })).toEqual([20_000]);
});

test("rejects requests that the budget would delay beyond their deadline", async () => {
  const { clock, pace } = at(1);
  const hurried = turns(pace, clock, 60, { latest: 5_000 });
  const patient = turns(pace, clock, 2);

  expect((await hurried).filter((one) => one !== "late")).toEqual([
    0, 0, 0, 0, 0, 1_000, 2_000, 3_000, 4_000, 5_000,
  ]);
  expect(await patient).toEqual([6_000, 7_000]);
});

test("rejects a waiting request once a pause moves it beyond its deadline", async () => {
  const { clock, pace } = at(1);
  await turns(pace, clock, 5);
  const hurried = turns(pace, clock, 2, { latest: 3_000 });
  const patient = turns(pace, clock, 1);
  clock.after(1_500, () => pace.pause(10_000));

  expect(await hurried).toEqual([1_000, "late"]);
  expect(await patient).toEqual([11_500]);
});

test("gives the slots of canceled requests to other requests", async () => {
  const { clock, pace } = at(10);
  const abort = new AbortController();
  const cancelled = Array.from({ length: 1_000 }, () =>
    pace.turn({ signal: abort.signal }).catch(() => "cancelled"),
  );
  abort.abort(new Error("enough"));
  expect(new Set(await Promise.all(cancelled))).toEqual(new Set([true, "cancelled"]));

  expect(await turns(pace, clock, 1)).toEqual([100]);
});

test("skips optional requests instead of waiting for the end of a pause", async () => {
  const { clock, pace } = at(1);
  await turns(pace, clock, 5);
  expect(await turns(pace, clock, 1, { isOptional: true })).toEqual([1_000]);
  pace.pause(20_000);

  expect(await turns(pace, clock, 1, { isOptional: true })).toEqual(["late"]);
  expect(clock.now()).toBe(1_000);
});

test("rejects the wait for the budget with the signal's abort reason", async () => {
  const clock = new VirtualClock(0);
  const pace = new Pace(clock, 1);
  pace.pause(20_000);
  const abort = new AbortController();
  const waiting = pace.turn({ signal: abort.signal });

  abort.abort(new Error("enough"));

  await expect(waiting).rejects.toThrow("enough");
});

test("uses one timer for all requests, and none if no request is waiting", async () => {
  let timers = 0;
  const clock = new VirtualClock(0);
  const sleep = async (ms: number, signal?: AbortSignal) => {
    timers += 1;
    try {
      await clock.sleep(ms, signal);
    } finally {
      timers -= 1;
    }
  };
  const pace = new Pace({ now: () => clock.now(), sleep }, 1);
  const abort = new AbortController();
  const waiting = Array.from({ length: 100 }, () =>
    pace.turn({ signal: abort.signal }).catch(() => undefined),
  );
  await clock.advance(3_000);
  expect(timers).toBe(1);

  abort.abort();
  await Promise.all(waiting);

  expect(timers).toBe(0);
});

test("rejects all waiting requests with the error of a failing clock", async () => {
  const pace = new Pace({ now: () => 0, sleep: () => Promise.reject(new Error("no time")) }, 1);
  const all = await Promise.allSettled(Array.from({ length: 7 }, () => pace.turn()));

  expect(all.map(({ status }) => status).filter((status) => status === "rejected")).toHaveLength(2);
});

test("derives the service's clock from its responses, accurate to half a second", () => {
  const { pace } = at();
  expect(pace.clockDifferenceMs).toBeUndefined();
  pace.sawDate("yesterday");
  expect(pace.clockDifferenceMs).toBeUndefined();
  pace.sawDate(new Date(90_000).toUTCString());
  expect(pace.clockDifferenceMs).toBe(90_500);
});
