import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensureEngine } from "../../tools/dev-engine/ensure";
import { engineEnvironment } from "../../tools/dev-engine/environment";
import { run } from "../../tools/process";
import { repositoryRoot } from "../../tools/repository";
import { temporaryFolder } from "../tools/temporary-folder";
import { installPacked } from "./packed-package";
import { installPolicyPack } from "./policy-pack-installed";

/** Copies the example to a new folder, and installs its dependencies without the registry. */
async function installed(): Promise<string> {
  const folder = temporaryFolder();
  cpSync(join(repositoryRoot, "examples", "testing"), folder, {
    recursive: true,
    filter: (path) => !path.includes("node_modules"),
  });
  await installPacked(folder);
  await installPolicyPack(folder);
  const modules = join(folder, "node_modules");
  symlinkSync(join(repositoryRoot, "emulator"), join(modules, "agentserver-emulator"), "dir");
  for (const name of ["jest", "ts-jest"]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(repositoryRoot, "node_modules", name), join(modules, name), "dir");
  }
  return folder;
}

test("runs the example's tests and additional ones with Jest, and removes their stacks", async () => {
  const folder = await installed();
  copyFileSync(join(__dirname, "test-kit", "further.ts"), join(folder, "further.test.ts"));
  const engine = await ensureEngine();
  const own = Object.entries(process.env).filter(([name]) => !/^(AGENTSERVER|PULUMI)_/.test(name));
  const env = engineEnvironment({
    engine,
    stateFolder: join(folder, "engine"),
    passphrase: "open",
    env: Object.fromEntries(own),
  });
  const jest = join(folder, "node_modules", "jest", "bin", "jest.js");
  const { code, stdout, stderr } = await run(process.execPath, [jest], { cwd: folder, env });
  expect(code === 0 ? "" : stdout + stderr).toBe("");
  expect(stderr).toContain("Tests:       8 passed, 8 total");
  const stacks = join(folder, "node_modules", ".cache", "agentserver-testing");
  expect(existsSync(stacks) ? readdirSync(stacks) : undefined).toEqual([]);
}, 600_000);
