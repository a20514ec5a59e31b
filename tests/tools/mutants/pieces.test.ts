import { globSync } from "node:fs";
import { pieces } from "../../../tools/mutants/pieces";
import { repositoryRoot } from "../../../tools/repository";

test.each(pieces)("contains only patterns that match files in $name", ({ sources, tests }) => {
  const globs = [...sources, ...tests.map((pattern) => `tests/${pattern}`)];
  expect(globs.filter((glob) => globSync(glob, { cwd: repositoryRoot }).length === 0)).toEqual([]);
  expect(sources.filter((glob) => glob.includes(","))).toEqual([]);
});
