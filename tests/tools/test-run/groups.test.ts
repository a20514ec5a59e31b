import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/repository";
import { readJson } from "../../json";

const read = (file: string) => readFileSync(join(repositoryRoot, file), "utf8");
const { scripts } = readJson<{ scripts: Record<string, string> }>(read("package.json"));
const groups = Object.keys(scripts).filter((name) => /^test:(?!long$)/.test(name));

/** Returns the test files that a script selects. */
function testsOf(script: string): string[] {
  const jest = '"$NODE" node_modules/jest/bin/jest.js --listTests';
  const command = scripts[script]!.replace("node tools/run.mjs test", jest);
  return execFileSync("sh", ["-c", command], {
    cwd: repositoryRoot,
    encoding: "utf8",
    env: { ...process.env, NODE: process.execPath },
  })
    .trim()
    .split("\n");
}

test("assigns each test file to exactly one group", () => {
  expect(groups).toEqual(["test:unit", "test:e2e", "test:reliability"]);
  expect(groups.flatMap(testsOf).sort()).toEqual(testsOf("test").sort());
});

test("runs all groups in the workflow", () => {
  const named = [...read(".github/workflows/test.yml").matchAll(/^ +- run: npm run (test:\w+)/gm)];
  expect(named.map(([, name]) => name)).toEqual(groups);
});
