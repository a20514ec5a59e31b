import fc from "fast-check";
import { groupsOf } from "../../../../provider/control-plane/polling/groups";
import { pauseAfter, type Knowledge } from "../../../../provider/control-plane/polling/schedule";

const known = (lengths: number[], failed = 0): Knowledge => ({
  groups: groupsOf(lengths.map((length) => length * 1_000)),
  count: lengths.length,
  failed,
  isLocal: false,
});
const nothing = known([]);
const regular = known([590, 595, 600, 600, 605, 610]);

/**
 * Returns the times of the polls during a rollout of this duration, in seconds, up to the poll that detects its end.
 */
function polls(knowledge: Knowledge, lengthS: number): number[] {
  const times: number[] = [];
  for (let now = 0; (times.at(-1) ?? 0) < lengthS;) {
    now += pauseAfter({ elapsedMs: now, polls: times.length }, knowledge);
    times.push(now / 1_000);
  }
  return times;
}
const lag = (times: number[], lengthS: number) => times.at(-1)! - lengthS;

test("polls at a steady interval without a history, but more often at the beginning", () => {
  const times = polls(nothing, 600);

  expect(times[0]).toBeLessThan(8);
  expect(times.length).toBeLessThanOrEqual(61);
  expect(times.at(-1)! - times.at(-2)!).toBeCloseTo(10.5, 0);
});

test("polls near the likely end if the history is regular, and once a minute before that", () => {
  const times = polls(regular, 602);

  expect(times.filter((time) => time < 540).length).toBeLessThanOrEqual(10);
  expect(times.length).toBeLessThanOrEqual(30);
  expect(lag(times, 602)).toBeLessThan(3);
});

test("polls often near both groups of durations, and rarely between them", () => {
  const bimodal = known([30, 31, 29, 300, 305, 295]);
  const times = polls(bimodal, 302);

  expect(times.filter((time) => time > 25 && time < 40).length).toBeGreaterThan(3);
  expect(times.filter((time) => time > 80 && time < 240).length).toBeLessThan(10);
  expect(lag(times, 302)).toBeLessThan(5);
});

test("polls often at the beginning if the control plane runs on this machine", () => {
  const times = polls({ ...nothing, isLocal: true }, 3);

  expect(lag(times, 3)).toBeLessThan(1);
});

test("polls more often before the usual end if some earlier rollouts failed", () => {
  const early = (knowledge: Knowledge) => polls(knowledge, 500).length;

  expect(early(known([600, 600, 600, 600], 4))).toBeGreaterThan(early(known([600, 600, 600, 600])));
});

test("pauses for at least the minimum and at most a minute, with any history", () => {
  const length = fc.integer({ min: 1, max: 7_200 });
  fc.assert(
    fc.property(
      fc.array(length, { maxLength: 12 }),
      fc.nat({ max: 5 }),
      fc.integer({ min: 0, max: 20_000_000 }),
      fc.nat({ max: 500 }),
      fc.boolean(),
      (lengths, failed, elapsedMs, count, isLocal) => {
        const pause = pauseAfter({ elapsedMs, polls: count }, { ...known(lengths, failed), isLocal });
        expect(pause).toBeLessThanOrEqual(60_000);
        expect(pause).toBeGreaterThanOrEqual(isLocal ? 250 : 1_000);
      },
    ),
  );
});

test("polls about as often as with a fixed interval if the history is misleading", () => {
  const length = fc.integer({ min: 10, max: 7_200 });
  const ratios = fc.array(fc.double({ min: 1, max: 1.2, noNaN: true }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(length, ratios, length, (base, past, lengthS) => {
      const times = polls(known(past.map((ratio) => base * ratio)), lengthS);
      const pause = times.at(-1)! - (times.at(-2) ?? 0);
      // With a fixed interval, this product would be half of the duration.
      expect(((times.length - 1) * pause) / 2).toBeLessThanOrEqual(lengthS * 0.55 + 60);
    }),
    { numRuns: 200 },
  );
});
