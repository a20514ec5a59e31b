import { fc } from "../../properties";

/** Strings that have caused errors in servers. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      "",
      " ",
      "\u0000",
      "\ud800",
      "a\udc00b",
      "\u202e",
      "e\u0301",
      "💥",
      "null",
      "NaN",
      "0x10",
      "-0",
      "1e999",
    ],
    ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "length"],
    ...[
      "..",
      "../..",
      "/",
      "a/b",
      "a.b",
      "%",
      "%00",
      "*",
      "$where",
      "'; --",
      "<b>",
      "{{}}",
      "\r\n",
      "[]",
      "true",
    ],
    ...[
      "00000000-0000-4000-8000-000000000000",
      "00000000-0000-0000-0000-00000000000",
      "2026-13-45T99:99:99Z",
    ],
    "x".repeat(5_000),
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
);

/** Encodes a string as part of a URL. Replaces lone surrogates. */
export const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** Placeholder for a number that can be represented in JSON but not in JavaScript; `jsonText` replaces it. */
const hugeNumber = "<<json 1e400>>";

/** Placeholders for nested lists, which would be too deep for a JavaScript value. */
const deepLists = fc.constantFrom("<<nested 60>>", "<<nested 5000>>");

/** JSON values of every type, which are invalid for most fields. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e300,
    -1e300,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    5e-324,
  ),
  fc.oneof(fc.constant(hugeNumber), deepLists),
  oddText,
  fc.constantFrom<unknown>([], [null], [[]], {}, { "": "" }, Array(300).fill(0)),
  fc.dictionary(
    fc.constantFrom("__proto__", "constructor", "toString", "a", "$ref", ""),
    fc.constantFrom(1, {}, null),
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Returns the JSON text of a value, with the placeholders replaced. */
export const jsonText = (value: unknown): string =>
  (JSON.stringify(value) ?? "null")
    .replaceAll(/"<<json (\S+)>>"/g, "$1")
    .replaceAll(/"<<nested (\d+)>>"/g, (_, depth: string) => "[".repeat(+depth) + "]".repeat(+depth));
