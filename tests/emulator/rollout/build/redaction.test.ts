import { inspect } from "node:util";
import { redactor } from "../../../../emulator/rollout/build/redaction";

const redact = redactor(['pa"ss wörd', "ab", "", "line one of it\nline two of it\n"]);

test.each([
  ['x pa"ss wörd y', "x [secret] y"],
  ['{"k":"pa\\"ss wörd"}', '{"k":"[secret]"}'],
  [`?k=${encodeURIComponent('pa"ss wörd')}&`, "?k=[secret]&"],
  [`Basic ${Buffer.from('pa"ss wörd').toString("base64")}`, "Basic [secret]"],
  ["only line two of it here", "only [secret] here"],
  ["about ab, cab and ab.", "about [secret], cab and [secret]."],
])("%s", (text, expected) => {
  expect(redact(text).replace(/=+$/, "")).toBe(expected);
});

test("a secret with control characters is taken out of a message of Node's", () => {
  const odd = "sup3rsecret\0tail";
  expect(redactor([odd])(`Received ${inspect(odd)}`)).toBe("Received '[secret]'");
});

test("without secrets a text stays as it is", () => {
  expect(redactor([])("a (b) [c]")).toBe("a (b) [c]");
});
