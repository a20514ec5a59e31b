import { fc } from "../../properties";
import { formatDuration, parseDuration } from "../../../provider/text/duration";

test.each([
  ["45s", 45_000],
  ["30m", 1_800_000],
  ["1h30m", 5_400_000],
  ["1h0m5s", 3_605_000],
  ["250ms", 250],
  ["24h", 86_400_000],
  ["1d", 86_400_000],
])("parses %s as a duration", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test("parses days up to the specified limit", () => {
  expect(parseDuration("1d12h", 2)).toBe(129_600_000);
  expect(parseDuration("2d", 2)).toBe(172_800_000);
  expect(parseDuration("2d1s", 2)).toBeUndefined();
});

test.each([
  "",
  "0s",
  "25h",
  "1d1s",
  "2d",
  "1h1d",
  "30",
  "30 m",
  "-5m",
  "m",
  "1.5h",
  "5m1h",
  "1e3s",
  "30M",
  "９m",
])("rejects %j", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test.each([
  [0, "0s"],
  [59_400, "59s"],
  [59_600, "1m"],
  [125_000, "2m05s"],
  [1_800_000, "30m"],
  [3_720_000, "1h02m"],
  [86_400_000, "24h00m"],
  [129_600_000, "1d12h"],
  [604_800_000, "7d"],
  [-5, "0s"],
])("prints %i ms as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test("parses its own output for whole minutes", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 24 * 60 }), (minutes) => {
      expect(parseDuration(formatDuration(minutes * 60_000))).toBe(minutes * 60_000);
    }),
  );
});
