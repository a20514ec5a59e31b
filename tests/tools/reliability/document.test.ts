import { readFileSync } from "node:fs";
import { reliabilityFile, suitesIn, withFigures } from "../../../tools/reliability/document";
import { lastFigures } from "../../../tools/reliability/figures";

const document = readFileSync(reliabilityFile, "utf8");

test("docs/reliability.md holds the figures of the last long run: if not, run `npm run test:long`", () => {
  expect(document).toBe(withFigures(document, lastFigures()));
});

test("every suite that has counted something has its place, and every place its suite", () => {
  expect(Object.keys(lastFigures()).sort()).toEqual(suitesIn(document).sort());
});

test("no figure reports something that was promised never to happen", () => {
  const never = [
    "duplicates",
    "hangs",
    "keys sent to redirect targets",
    "lost deployments",
    "orphans",
    "pending operations that need manual repair",
    "replacements",
    "extra revisions",
    "secrets found",
  ];
  const shown = Object.entries(lastFigures()).flatMap(([suite, figures]) =>
    never.filter((what) => (figures[what] ?? 0) !== 0).map((what) => `${suite}: ${what} ${figures[what]}`),
  );
  expect(shown).toEqual([]);
});
