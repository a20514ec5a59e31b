import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/repository";
import { markdown } from "./documents";

/** Code blocks that state their origin in a comment, with the lines that they must contain in the same order. */
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

test("finds the copied code in the first pages", () => {
  const pages = new Set(copies.map(({ path }) => path));
  expect([...pages]).toEqual(
    expect.arrayContaining(["docs/real-service.md", "docs/sources.md", "docs/start.md"]),
  );
  expect(copies.every(({ lines }) => lines.length > 0)).toBe(true);
});
