import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";
import { markdown } from "./documents";

/**
 * Code blocks whose preceding comment names a source file. The file must contain the lines of the code block in the
 * same order.
 */
const copies = markdown.flatMap(({ path, text }) =>
  [...text.matchAll(/^<!-- from (\S+) -->\n```\w+\n(.*?)^```$/gms)].map(([, source, code]) => ({
    path,
    source: source!,
    lines: code!.split("\n").filter((line) => line.trim() !== ""),
  })),
);

test.each(copies)("contains the same code in $path as in $source", ({ source, lines }) => {
  const original = readFileSync(join(repositoryRoot, source), "utf8").split("\n");
  let position = 0;
  const missing = lines.filter((line) => {
    const found = original.indexOf(line, position);
    if (found >= 0) position = found + 1;
    return found < 0;
  });
  expect(missing).toEqual([]);
});

test("recognizes the copied code in pages that are known to contain some", () => {
  const pages = new Set(copies.map(({ path }) => path));
  expect([...pages]).toEqual(
    expect.arrayContaining(["docs/langsmith.md", "docs/sources.md", "docs/start.md"]),
  );
  expect(copies.every(({ lines }) => lines.length > 0)).toBe(true);
});

test.each(markdown)("copies every program in $path from a tested file", ({ text }) => {
  const programs = [...text.matchAll(/(.*)\n^```(?:(?:ts|tsx|python)\n|yaml\n(?=apiVersion))(.*)/gm)];
  const unchecked = programs.filter(([, before]) => !/^<!-- from (examples|tests)\/\S+ -->$/.test(before!));
  expect(unchecked.map(([, , line]) => line)).toEqual([]);
});

/** Code blocks in languages with brackets. Strings, comments, and regular expressions are removed. */
const blocks = markdown.flatMap(({ path, text }) =>
  [...text.matchAll(/^( *)```(ts|tsx|js|python|json|go)\n(.*?)^\1```$/gms)].map(
    ([, , language, code], index) => ({
      name: `${path}, block ${index + 1} (${language})`,
      code: code!
        .replaceAll(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`/g, '""')
        .replaceAll(/\/\/.*|(?<=^|\s)#.*/g, "")
        .replaceAll(/\/(?:\\.|[^/\\\n])+\//g, ""),
    }),
  ),
);

/** Returns the first bracket that has no counterpart. */
function unmatchedBracket(code: string): string | undefined {
  const pairs: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
  const open: string[] = [];
  for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
    const opening = pairs[bracket];
    if (opening === undefined) open.push(bracket);
    else if (open.pop() !== opening) return bracket;
  }
  return open.pop();
}

test("closes every bracket in a code block", () => {
  expect(unmatchedBracket("f({ a: [1, 2] }")).toBe("(");
  expect(unmatchedBracket("f([1, 2)]")).toBe(")");
  expect(blocks.length).toBeGreaterThan(50);
  expect(blocks.filter(({ code }) => unmatchedBracket(code) !== undefined).map(({ name }) => name)).toEqual(
    [],
  );
});
