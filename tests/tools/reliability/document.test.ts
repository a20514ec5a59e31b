import { readFileSync } from "node:fs";
import { reliabilityFile, listedSuites, updateFigures } from "../../../tools/reliability/document";
import { lastFigures } from "../../../tools/reliability/figures";

const document = readFileSync(reliabilityFile, "utf8");

test("matches the figures in docs/reliability.md (run `npm run test:long` to update them)", () => {
  expect(document).toBe(updateFigures(document, lastFigures()));
});

test("lists every suite with figures", () => {
  expect(Object.keys(lastFigures()).sort()).toEqual(listedSuites(document).sort());
});

test("reports zero for everything that must never happen", () => {
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
