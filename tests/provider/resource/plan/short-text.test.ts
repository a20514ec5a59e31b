import { shortText } from "../../../../provider/resource/plan/display-value";
import { redactor } from "../../../../provider/text/redact";

const asItIs = (text: string) => text;
const fits = "x".repeat(80);

test.each([
  ["no value is none", undefined, "none"],
  ["null is none", null, "none"],
  ["a text is as it is", "v1", "v1"],
  ["a commit is short", "0123456789abcdef0123456789abcdef01234567", "0123456789"],
  [
    "credentials in an address are hidden",
    "https://me:token@example.com/a.git",
    "https://***@example.com/a.git",
  ],
  ["an object is JSON", { cpu: 2 }, '{"cpu":2}'],
  ["what just fits is not cut", fits, fits],
  ["what is longer is cut", `${fits}y`, `${"x".repeat(77)}…`],
  ["half a character is not left", `${"x".repeat(76)}😀${fits}`, `${"x".repeat(76)}\ufffd…`],
])("%s", (_what, value, text) => {
  expect(shortText(value, asItIs)).toBe(text);
});

test.each([
  ["a long text", `${"x".repeat(70)}hush-hush-hush`, `${"x".repeat(70)}[secret]`],
  ["an object", { a: "x".repeat(60), b: "hush-hush-hush" }, `{"a":"${"x".repeat(60)}","b":"[sec…`],
  ["what looks like a commit", "0123456789abcdef0123456789abcdef01234567", "[secret]"],
])("removes a secret from %s before it shortens the value", (_what, value, text) => {
  const redact = redactor(["hush-hush-hush", "0123456789abcdef0123456789abcdef01234567"]);
  expect(shortText(value, redact)).toBe(text);
});

test("prints that there is no value, regardless of the secrets", () => {
  expect(shortText(undefined, redactor(["none"]))).toBe("none");
});
