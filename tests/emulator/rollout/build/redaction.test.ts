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
])("redacts the secret in %s", (text, expected) => {
  expect(redact(text).replace(/=+$/, "")).toBe(expected);
});

test("redacts a secret with control characters in a Node.js message", () => {
  const odd = "sup3rsecret\0tail";
  expect(redactor([odd])(`Received ${inspect(odd)}`)).toBe("Received '[secret]'");
});

test("keeps a string without secrets unchanged", () => {
  expect(redactor([])("a (b) [c]")).toBe("a (b) [c]");
});

test("does not redact line numbers and addresses if a secret is a flag or a small number", () => {
  const flags = redactor(["1", "8", " 80 ", "TRUE", "off", "sup3rsecret", "1234"]);
  expect(flags("graph.ts:1:80: true, 127.0.0.1 is off sup3rsecret 1234")).toBe(
    "graph.ts:1:80: true, 127.0.0.1 is off [secret] [secret]",
  );
});
