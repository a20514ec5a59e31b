import { describeWorst, insufficiency, scoreOf, type CaseResult } from "../../../provider/evaluation/score";
import { readVerdict } from "../../../provider/evaluation/verdict";

function results(passed: number, failed: number): CaseResult[] {
  const one = { name: "case", input: {}, answer: "a" };
  return [
    ...Array.from({ length: passed }, () => ({ ...one, score: 1 })),
    ...Array.from({ length: failed }, () => ({ ...one, score: 0, reason: "wrong" })),
  ];
}

test("returns the fraction of passed cases, rounded down", () => {
  expect(scoreOf(results(3, 0))).toBe(1);
  expect(scoreOf(results(2, 1))).toBe(0.6666);
  expect(scoreOf(results(19_999, 1))).toBe(0.9999);
  expect(scoreOf([])).toBe(0);
});

test.each([
  [results(3, 0), {}, undefined, undefined],
  [results(99, 1), {}, undefined, "the score is 0.99, but at least 1 is required"],
  [results(95, 5), { pass: 0.95 }, undefined, undefined],
  [results(2, 1), { pass: 2 / 3 }, undefined, undefined],
  [results(2, 1), { pass: 0.6667 }, undefined, "the score is 0.6666, but at least 0.6667 is required"],
  [results(2, 1), { pass: 0, noWorseThan: "previous" as const }, 0.6666, undefined],
  [
    results(90, 10),
    { pass: 0.8, noWorseThan: "previous" as const },
    0.95,
    "the score is 0.9, which is worse than 0.95, the score of the previous revision",
  ],
  [results(95, 5), { pass: 0.8, noWorseThan: "previous" as const }, 0.95, undefined],
  [results(90, 10), { pass: 0.8, noWorseThan: "previous" as const }, undefined, undefined],
  [results(90, 10), { pass: 0.8 }, 0.95, undefined],
])("evaluates results with the settings and the previous score (%#)", (all, settings, previous, problem) => {
  expect(insufficiency(all, settings, previous)).toBe(problem);
});

test("accepts a result that equals the required fraction of nine cases exactly", () => {
  const problems = [1, 2, 3, 4, 5, 6, 7, 8].map((passed) =>
    insufficiency(results(passed, 9 - passed), { pass: passed / 9 }, undefined),
  );
  expect(problems).toEqual(Array(8).fill(undefined));
});

test("describes the five failed cases with the lowest scores, shortened and without secrets", () => {
  const failed = [0.4, 0.1, 0.3, 0, 0.2, 0.45].map((score) => ({
    name: `case ${score}`,
    input: { q: "x".repeat(400) },
    answer: `secret ${score}`,
    score,
    reason: "wrong",
  }));
  const lines = describeWorst([...results(1, 0), ...failed], (text) => text.replaceAll("secret", "[hidden]"));
  expect(lines.map((line) => line.slice(0, 13))).toEqual([
    "Case case 0 f",
    "Case case 0.1",
    "Case case 0.2",
    "Case case 0.3",
    "Case case 0.4",
  ]);
  expect(lines[0]).toMatch(/^Case case 0 failed: wrong\. Input: \{"q":"x{294}…\. Answer: "\[hidden\] 0"\.$/);
});

test.each([
  [
    { score: 0.8, reason: "fine" },
    { score: 0.8, reason: "fine" },
  ],
  ['{"score": 0.8}', { score: 0.8 }],
  [{ passed: true, extra: 1 }, { score: 1 }],
  ['{"passed": false, "reason": "rude"}', { score: 0, reason: "rude" }],
  [
    { passed: false, score: 0.9, reason: "rude" },
    { score: 0, reason: "rude" },
  ],
  [{ passed: true, score: 0.3 }, { score: 0.3 }],
  [{ score: 2 }, undefined],
  ["good", undefined],
  [{ reason: "fine" }, undefined],
])("reads a verdict, if there is one, from %j", (response, verdict) => {
  expect(readVerdict(response)).toEqual(verdict);
});
