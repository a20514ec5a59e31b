import { isOpen } from "../../../provider/promotion/window";

test.each([
  ["2026-01-05T08:00:00Z", true],
  ["2026-01-05T07:59:00Z", false],
  ["2026-01-05T15:59:00Z", true],
  ["2026-01-05T16:00:00Z", false],
  ["2026-07-06T07:00:00Z", true],
  ["2026-01-04T10:00:00Z", false],
])(
  "determines whether a window on Monday from 09:00 to 17:00 in Berlin is open at %s: %s",
  (at, expected) => {
    const window = { days: ["Mon"] as const, from: "09:00", to: "17:00", timeZone: "Europe/Berlin" };
    expect(isOpen(window, Date.parse(at))).toBe(expected);
  },
);

test.each([
  ["2026-01-05T23:00:00Z", true],
  ["2026-01-06T03:59:00Z", true],
  ["2026-01-06T04:00:00Z", false],
  ["2026-01-05T03:00:00Z", false],
])("determines whether a window from Monday 22:00 to Tuesday 04:00 is open at %s: %s", (at, expected) => {
  const window = { days: ["Mon"] as const, from: "22:00", to: "04:00", timeZone: "UTC" };
  expect(isOpen(window, Date.parse(at))).toBe(expected);
});
