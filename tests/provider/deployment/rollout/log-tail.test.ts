import { firstCause } from "../../../../provider/deployment/rollout/log-tail";

test.each([
  [["npm ci", "npm ERR! code E404", "npm ERR! gone"], "npm ERR! code E404"],
  [
    ["compiled with 0 errors", "warning: old", "TypeError: x is not a function"],
    "TypeError: x is not a function",
  ],
  [
    ["src/graph.ts(3,1): error TS2304: Cannot find name 'x'."],
    "src/graph.ts(3,1): error TS2304: Cannot find name 'x'.",
  ],
  [
    [
      "start",
      "Traceback (most recent call last):",
      '  File "a.py", line 1',
      "ModuleNotFoundError: No module named 'x'",
    ],
    "ModuleNotFoundError: No module named 'x'",
  ],
  [["fatal: repository 'x' not found"], "fatal: repository 'x' not found"],
  [["all is well", "errors.log rotated"], undefined],
  [[], undefined],
])("finds the first cause in %j", (lines, cause) => {
  expect(firstCause(lines)).toBe(cause);
});
