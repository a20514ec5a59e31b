import { truncate } from "../../../provider/text/truncate";

test.each([
  ["", ""],
  ["abc", "abc"],
  ["abcd", "abc…"],
])("limits %j to three characters", (text, expected) => {
  expect(truncate(text, 3)).toBe(expected);
});
