import type { CronRecord } from "../../../provider/agent-server/wire";
import { unclearedInputs } from "../../../provider/cron/mapping";

const cleared = { assistant: "agent", schedule: "0 9 * * *", input: null, webhook: null };
const cron = (change: object = {}) => ({ cron_id: "a", ...change }) as CronRecord;

test.each<[string, object, object, string[], string[]]>([
  [
    "lists inputs that are still set",
    {},
    { payload: { input: {}, webhook: "/a" } },
    [],
    ["input", "webhook"],
  ],
  [
    "does not list inputs that are no longer set",
    {},
    { payload: { webhook: null } },
    ["input", "webhook"],
    [],
  ],
  ["keeps the known inputs if the server reports no payload", {}, {}, ["webhook"], ["webhook"]],
  ["does not list declared inputs", { webhook: "/b" }, { payload: { webhook: "/a" } }, ["webhook"], []],
  ["does not list omitted inputs", { webhook: undefined }, { payload: { webhook: "/a" } }, ["webhook"], []],
])("%s", (_what, change, record, known, expected) => {
  expect(unclearedInputs({ ...cleared, ...change }, cron(record), known)).toEqual(expected);
});
