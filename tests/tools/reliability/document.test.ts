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

test("no figure tells of something that was promised never to happen", () => {
  const never =
    /duplicate|orphan|hang|hung|leak|secrets found|lost|by hand|need a hand|needing a hand|followed|replacements/i;
  const told = Object.entries(lastFigures()).flatMap(([suite, figures]) =>
    Object.entries(figures)
      .filter(([what, value]) => never.test(what) && !/lost replies|replies lost/i.test(what) && value !== 0)
      .map(([what, value]) => `${suite}: ${what} ${value}`),
  );
  expect(told).toEqual([]);
});
