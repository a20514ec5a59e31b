import { shortText } from "../../../../provider/resource/plan/display-value";
import { redactor } from "../../../../provider/text/redact";

const asItIs = (text: string) => text;
const fits = "x".repeat(80);

test.each([
  ["prints a missing value as none", undefined, "none"],
  ["prints null as none", null, "none"],
  ["prints a string unchanged", "v1", "v1"],
  ["shortens a commit", "0123456789abcdef0123456789abcdef01234567", "0123456789"],
  ["hides credentials in an address", "https://me:token@example.com/a.git", "https://***@example.com/a.git"],
  ["prints an object as JSON", { cpu: 2 }, '{"cpu":2}'],
  ["does not shorten a value that just fits", fits, fits],
  ["shortens a longer value", `${fits}y`, `${"x".repeat(77)}…`],
  ["does not leave half a character", `${"x".repeat(76)}😀${fits}`, `${"x".repeat(76)}\ufffd…`],
])("%s", (_what, value, text) => {
  expect(shortText(value, asItIs)).toBe(text);
});

test.each([
  ["a long string", `${"x".repeat(70)}hush-hush-hush`, `${"x".repeat(70)}[secret]`],
  ["an object", { a: "x".repeat(60), b: "hush-hush-hush" }, `{"a":"${"x".repeat(60)}","b":"[sec…`],
  ["a string that resembles a commit", "0123456789abcdef0123456789abcdef01234567", "[secret]"],
])("removes a secret from %s before it shortens the value", (_what, value, text) => {
  const redact = redactor(["hush-hush-hush", "0123456789abcdef0123456789abcdef01234567"]);
  expect(shortText(value, redact)).toBe(text);
});

test("prints a missing value as none, regardless of the secrets", () => {
  expect(shortText(undefined, redactor(["none"]))).toBe("none");
});
