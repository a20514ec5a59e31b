import { fc } from "../../properties";
import { formatDuration, parseDuration } from "../../../provider/text/duration";

test.each([
  ["45s", 45_000],
  ["30m", 1_800_000],
  ["1h30m", 5_400_000],
  ["1h0m5s", 3_605_000],
  ["250ms", 250],
  ["24h", 86_400_000],
])("reads %s as a duration", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(["", "0s", "25h", "30", "30 m", "-5m", "m", "1.5h", "5m1h", "1e3s", "30M", "９m"])(
  "rejects %j",
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test.each([
  [0, "0s"],
  [59_400, "59s"],
  [59_600, "1m"],
  [125_000, "2m05s"],
  [1_800_000, "30m"],
  [3_720_000, "1h02m"],
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
