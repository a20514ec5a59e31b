import { inspect } from "node:util";
import { fc } from "../../properties";
import { redactor } from "../../../provider/text/redact";

const secret = 'pa"ss\\wörd & more\n-----second line-----';

test.each([
  ["in plain text", secret],
  ["in JSON", JSON.stringify({ key: secret })],
  ["in a URL", `https://host/?q=${encodeURIComponent(secret)}`],
  ["in base64", Buffer.from(secret).toString("base64")],
  ["in base64 without padding", Buffer.from(secret).toString("base64").replace(/=+$/, "")],
  ["in URL-safe base64", Buffer.from(secret).toString("base64url")],
  ["that appears with only one of its lines", "found -----second line----- in the log"],
])("redacts a secret %s", (_form, text) => {
  const shown = redactor([secret])(text);
  expect(shown).toContain("[secret]");
  expect(shown).not.toMatch(/wörd|second line|w%C3|d8O2|cGEi/);
});

test("redacts a secret with control characters in a Node.js message", () => {
  const [odd, long] = ["sup3rsecret\0tail", `sup3rsecret\0${"long line ".repeat(20)}\n`.repeat(80)];
  const printed = redactor([odd, long])(
    `${inspect(odd)} ${inspect({ long }, { maxStringLength: Infinity })}`,
  );
  expect(printed).toContain("'[secret]'");
  expect(printed).not.toMatch(/sup3rsecret|long line/);
});

test("redacts the rest of a secret that contains another secret", () => {
  expect(redactor(["abcd", "abcd-efgh"])("x abcd-efgh y abcd z")).toBe("x [secret] y [secret] z");
});

test("keeps short values and other text", () => {
  expect(redactor(["", "abc"])("abc stays")).toBe("abc stays");
  expect(redactor([])("all of it")).toBe("all of it");
});

const word = fc.string({
  unit: fc.constantFrom(...'0123456789"\\/+é'.split("")),
  minLength: 4,
  maxLength: 40,
});

test("redacts secrets in any string", () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 3 }),
      fc.string(),
      fc.string(),
      (secrets, before, after) => {
        const text = secrets.map((one) => before + JSON.stringify(one) + one + after).join("");
        const shown = redactor(secrets)(text);
        for (const one of secrets) {
          expect(shown.replaceAll("[secret]", "\u0000")).not.toContain(one);
          expect(shown).toContain("[secret]");
        }
      },
    ),
  );
});

test("accepts any secret, even an unpaired surrogate", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 4 }), fc.string(), (one, text) => {
      expect(redactor([one, "\ud800-half"])(text + one)).not.toContain(`${text}${one}`);
    }),
  );
});

test("redacts secrets inside a base64 string, regardless of the text around them", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 8 }),
      fc.string({ minLength: 6, unit: "grapheme" }),
      fc.uint8Array({ maxLength: 8 }),
      (before, one, after) => {
        const bytes = Buffer.concat([before, Buffer.from(one), after]);
        for (const form of ["base64", "base64url"] as const) {
          const shown = redactor([one])(bytes.toString(form));
          expect(shown).toContain("[secret]");
          expect(Buffer.from(shown.replace("[secret]", ""), form).includes(Buffer.from(one))).toBe(false);
        }
      },
    ),
  );
});

test("redacts overlapping secrets", () => {
  expect(redactor(["abcdef", "defghi"])("x abcdefghi y")).toBe("x [secret] y");
});

test("redacts a 10 MB secret, or 100,000 secrets, in a long string", () => {
  const large = `${Array.from({ length: 450_000 }, (_, n) => `part ${n} of a secret, `).join("")}\n"end"`;
  const text = "a build log line that says nothing of note\n".repeat(24_000);
  const shown = redactor([large])(`${text}${large}|${JSON.stringify(large)}|${encodeURIComponent(large)}`);
  expect(shown.slice(text.length)).toBe('[secret]|"[secret]"|[secret]');
  const many = Array.from({ length: 100_000 }, (_, n) => `sk-${n}-${n * 7919}`);
  const printed = redactor(many)(text + many.join(" "));
  expect(printed.slice(text.length).replaceAll("[secret]", "").trim()).toBe("");
});
