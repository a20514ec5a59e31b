import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../tools/cache-folder";
import { ensureEngine } from "../../tools/dev-engine/ensure";
import { engineEnvironment } from "../../tools/dev-engine/environment";
import { fillFolder } from "../../tools/filled-folder";
import { run, type RunResult } from "../../tools/process";
import { compiler, repositoryRoot } from "../../tools/repository";
import { readJson } from "../json";
import { temporaryFolder } from "../tools/temporary-folder";
import { installEmulator } from "./emulator-installed";
import { installPacked } from "./packed-package";
import { installPolicyPack } from "./policy-pack-installed";
import { noProcessOf } from "./processes";

jest.setTimeout(600_000);

const example = join(repositoryRoot, "examples", "testing-vitest");

/** Packages that are installed from the registry, in the versions that the example declares. */
const runner = ["vitest", "vite"];

let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = temporaryFolder();
  cpSync(example, folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  await installPacked(folder);
  const modules = await vitestModules();
  for (const name of runner) symlinkSync(join(modules, name), join(folder, "node_modules", name), "dir");
  await installPolicyPack(folder);
  await installEmulator(folder);
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(AGENTSERVER_|PULUMI_|FORCE_COLOR$)/.test(name),
  );
  env = engineEnvironment({
    engine: await ensureEngine(),
    stateFolder: join(folder, "engine"),
    passphrase: "open",
    env: Object.fromEntries(own),
  });
});

/** Returns the cached `node_modules` folder that contains the test runner. */
async function vitestModules(): Promise<string> {
  const { devDependencies } = readJson<{ devDependencies: Record<string, string> }>(
    readFileSync(join(example, "package.json"), "utf8"),
  );
  const wanted = runner.map((name) => `${name}@${devDependencies[name]}`);
  const cache = join(cacheFolder(process.env), "vitest");
  const name = [...wanted, process.platform, process.arch].join("-");
  const isComplete = (made: string) => existsSync(join(made, "node_modules", "vitest", "vitest.mjs"));
  if (!isComplete(join(cache, name)))
    await fillFolder(cache, name, {
      async make(made) {
        writeFileSync(join(made, "package.json"), JSON.stringify({ private: true }));
        const words = [
          "install",
          "--ignore-scripts",
          "--no-audit",
          "--no-fund",
          "--prefer-offline",
          ...wanted,
        ];
        const { code, stderr } = await run("npm", words, { cwd: made });
        if (code !== 0) throw new Error(`npm install failed:\n${stderr.trim()}`);
      },
      isComplete,
      contentName: "Vitest",
    });
  return join(cache, name, "node_modules");
}

const vitest = (...words: string[]): Promise<RunResult> =>
  run(process.execPath, [join(folder, "node_modules", "vitest", "vitest.mjs"), "run", ...words], {
    cwd: folder,
    env: { ...env, NO_COLOR: "1" },
  });

/** Returns the folders of stacks that were not removed. */
const remainingStacks = () => readdirSync(join(folder, "node_modules", ".cache", "agentserver-testing"));

test("runs the example's tests, and leaves no stacks or processes", async () => {
  const { code, stdout, stderr } = await vitest();
  expect(code === 0 ? "" : stdout + stderr).toBe("");
  expect(stdout).toMatch(/Tests {2}5 passed/);
  expect(remainingStacks()).toEqual([]);
  await noProcessOf(folder);
});

test("reports a failed assertion, even in a thread, and removes the stack", async () => {
  const text = readFileSync(join(folder, "program.test.ts"), "utf8");
  const wrong = text.replace(
    "expect(requests()).toEqual([]);",
    'expect(requests()).toEqual(["DELETE /none"]);',
  );
  expect(wrong).not.toBe(text);
  writeFileSync(join(folder, "wrong.test.ts"), wrong);
  const { code, stdout, stderr } = await vitest(
    "--pool=threads",
    "wrong.test.ts",
    "-t",
    "creates a revision",
  );
  expect(code).toBe(1);
  expect(stdout).toMatch(/Tests {2}1 failed \| 4 skipped/);
  expect(stderr).toContain("AssertionError: expected [] to deeply equal [ 'DELETE /none' ]");
  expect(remainingStacks()).toEqual([]);
});

test("provides types with which the example passes the type check", async () => {
  const { code, stdout } = await run(process.execPath, [compiler, "-p", "."], { cwd: folder });
  expect(stdout).toBe("");
  expect(code).toBe(0);
});
