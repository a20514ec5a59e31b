import { groupsOf } from "../../../../provider/control-plane/polling/groups";

const seconds = (...lengths: number[]) => lengths.map((length) => length * 1_000);

test("groups similar durations around their median", () => {
  const [group, ...others] = groupsOf(seconds(580, 600, 620));

  expect(others).toEqual([]);
  expect(group!.share).toBe(1);
  expect(group!.medianMs / 1_000).toBeCloseTo(600, 0);
});

test("separates builds with a cache from those without one, and returns the share of each", () => {
  const groups = groupsOf(seconds(300, 32, 310, 30));

  expect(groups.map(({ share, medianMs }) => [share, Math.round(medianMs / 1_000)])).toEqual([
    [0.5, 31],
    [0.5, 305],
  ]);
});

test("relies less on one rollout than on many consistent ones", () => {
  const shapeOf = (lengths: number[]) => groupsOf(seconds(...lengths))[0]!.shape;

  expect(shapeOf([600])).toBeLessThan(shapeOf([600, 601]));
  expect(shapeOf([600, 601])).toBeLessThan(shapeOf([600, 601, 600, 599, 600, 600]));
  expect(shapeOf(Array<number>(50).fill(600))).toBeLessThan(250);
});

test("returns an empty list if there are no earlier rollouts", () => {
  expect(groupsOf([])).toEqual([]);
});
