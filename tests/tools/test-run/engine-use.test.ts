import { globSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/repository";
import { usesEngine } from "../../../tools/test-run/engine-use";

const inTests = (pattern: string) => globSync(join(repositoryRoot, "tests", pattern));

test.each([
  "e2e/names.test.ts",
  "reliability/kill/provider-killed.test.ts",
  "cli/connection.test.ts",
  "tools/dev-engine/language-host/engine.test.ts",
])("detects that %s uses the engine", (file) => {
  expect(inTests(file).map(usesEngine)).toEqual([true]);
});

test.each(["provider", "emulator", "sdk", "policies", "wire", "published"])(
  "detects that no test in the %s folder uses the engine",
  (folder) => {
    const files = inTests(`${folder}/**/*.test.ts`);
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter(usesEngine)).toEqual([]);
  },
);

test("detects that the tests of ensureEngine use only a fake engine", () => {
  expect(inTests("tools/dev-engine/ensure.test.ts").map(usesEngine)).toEqual([false]);
});
