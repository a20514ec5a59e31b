import { Linter } from "eslint";
import { rules } from "../../../tools/lint/plain-english.cjs";

/** Returns the messages of one rule for a source. */
function findings(rule: string, source: string): string[] {
  const linter = new Linter();
  const messages = linter.verify(source, {
    plugins: { "plain-english": { rules } },
    rules: { [`plain-english/${rule}`]: "error" },
    linterOptions: { reportUnusedDisableDirectives: "off" },
  });
  return messages.map(({ message }) => message);
}

describe("doc-comment-start", () => {
  test.each(["What", "Whether", "How", "Where", "Who", "Whose", "Why", "Which", "When"])(
    'reports a doc comment that starts with "%s"',
    (word) => {
      const expected = [`Start with a third-person verb, a noun phrase or "True if" instead of "${word}".`];
      expect(findings("doc-comment-start", `/** ${word} it is. */`)).toEqual(expected);
      expect(findings("doc-comment-start", `/**\n * ${word} it is.\n */`)).toEqual(expected);
    },
  );

  test.each([
    "/** Returns what it is. */",
    "/** True if it is. */",
    "// What it is.",
    "/* What it is. */",
    "/** However. */",
  ])("accepts %s", (source) => {
    expect(findings("doc-comment-start", source)).toEqual([]);
  });
});

describe("plain-words", () => {
  test.each([
    ["a comment", "// Asks\n/* once more */"],
    ["a doc comment across lines", "/**\n * Asks once\n * more.\n */"],
    ["a string", 'f("asks once more");'],
    ["a template", "f(`asks ${who} once more`);"],
  ])("reports a disallowed phrase in %s, and suggests a replacement", (_, source) => {
    expect(findings("plain-words", source)).toEqual(['Write again instead of "once more".']);
  });

  test("is case-insensitive", () => {
    expect(findings("plain-words", "// Anew.")).toEqual(['Write again instead of "Anew".']);
  });

  test.each([
    ["// The behaviour of it.", "behaviour"],
    ["const colourOf = 1;", "colour"],
    ["const x = { serialise: 1 };", "serialise"],
  ])("reports the British spelling in %s", (source, found) => {
    expect(findings("plain-words", source)).toEqual([expect.stringContaining(`instead of "${found}"`)]);
  });

  test.each([
    'import x from "./anew";',
    'f("takes four hours and 13 labels");',
    "// Customization of a behavior.",
  ])("accepts %s", (source) => {
    expect(findings("plain-words", source)).toEqual([]);
  });
});

describe("test-names", () => {
  const verb = 'Start the test name with a third-person verb, so that it completes "it …".';

  test.each([
    'test("returns it", f);',
    'it("does not return it", f);',
    'test.each(rows)("%s", f);',
    'test.each(rows)("returns %s", f);',
    "test(`returns ${what}`, f);",
    "test(name, f);",
    'describe("a thing", () => { test("returns it", f); });',
    'describe("one", () => { test("returns it", f); }); describe("two", () => { test("returns it", f); });',
  ])("accepts %s", (source) => {
    expect(findings("test-names", source)).toEqual([]);
  });

  test.each([
    "a thing is returned",
    "Returns it",
    "names are kept",
    "secrets of a stack",
    "threads live long",
    "revisions can be filtered",
    "this works",
    "process ends",
  ])('reports "%s", which does not start with a verb', (name) => {
    expect(findings("test-names", `test("${name}", f);`)).toEqual([verb]);
    expect(findings("test-names", `test.each(rows)("${name}", f);`)).toEqual([verb]);
  });

  test("reports names of more than 90 characters", () => {
    const name = `returns ${"x".repeat(82)}`;
    expect(findings("test-names", `test("${name}", f);`)).toEqual([]);
    expect(findings("test-names", `test("${name}x", f);`)).toEqual([
      "Use at most 90 characters; this test name has 91.",
    ]);
  });

  test("reports spaces at the end of a name", () => {
    expect(findings("test-names", 'test("returns it ", f);')).toEqual([
      "Remove the spaces around the test name.",
    ]);
  });

  test.each([
    'test("returns it", f); test("returns it", g);',
    'describe("a", () => { test("returns it", f); test.each(rows)("returns it", f); });',
  ])("reports the duplicate name in %s", (source) => {
    expect(findings("test-names", source)).toEqual(["Use another name; a test above has the same."]);
  });
});

describe("disable-reason", () => {
  test("requires a reason in each comment that disables a rule", () => {
    expect(findings("disable-reason", "// eslint-disable-next-line no-undef\nf();")).toEqual([
      'State the reason after "--".',
    ]);
    expect(
      findings("disable-reason", "// eslint-disable-next-line no-undef -- Global of the page.\nf();"),
    ).toEqual([]);
  });
});
