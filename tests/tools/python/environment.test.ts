import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ensurePythonEnvironment } from "../../../tools/python/environment";
import { temporaryFolder, writeFile } from "../temporary-folder";

let folder: string;
let env: NodeJS.ProcessEnv;
let requirements: string;
beforeEach(() => {
  folder = temporaryFolder({ "bin/.keep": "", "requirements.txt": "one==1.0\n" });
  env = { PATH: join(folder, "bin"), AGENTSERVER_CACHE: join(folder, "cache") };
  requirements = join(folder, "requirements.txt");
});

/**
 * Adds a Python command to the PATH of the machine. It logs its calls, and copies itself into each environment that it
 * creates.
 */
function python(command: string, version: string, refuses = "nothing"): void {
  const script = `#!/bin/sh
case "$*" in
  *platform*) echo '["${version}", "/somewhere"]'; exit ;;
  *"${refuses}"*) echo "looking around" >&2; echo "No matching distribution." >&2; exit 1 ;;
esac
echo "$*" >> ${join(folder, "log")}
[ "$2" != venv ] || { /bin/mkdir -p "$3/bin" && /bin/cp "$0" "$3/bin/python"; }
`;
  writeFile(join(folder, "bin", command), script);
}

const ensure = () => ensurePythonEnvironment(requirements, env);
const done = (what: string) =>
  readFileSync(join(folder, "log"), "utf8")
    .split("\n")
    .filter((line) => line.includes(what));
const kept = () => readdirSync(join(folder, "cache", "python")).filter((name) => !name.startsWith(".lock"));

test("creates an environment with exactly the pinned packages, and reuses it", async () => {
  python("python3", "3.12.1");
  const [one, other] = await Promise.all([ensure(), ensure()]);
  expect(other).toEqual(one);
  expect(await ensure()).toEqual(one);
  expect(existsSync((one as { python: string }).python)).toBe(true);
  expect(done("-m venv")).toHaveLength(1);
  expect(done("install")).toEqual([expect.stringContaining(`--no-deps --requirement ${requirements}`)]);
  expect(done("-m pip")[1]).toMatch(/ check$/);
});

test("creates separate environments for different requirements and Python interpreters", async () => {
  python("python3", "3.12.1");
  const first = await ensure();
  writeFile(requirements, "one==1.1\n");
  const second = await ensure();
  python("python3", "3.12.2");
  const third = await ensure();
  expect(new Set([first, second, third].map((made) => JSON.stringify(made))).size).toBe(3);
  expect(kept()).toHaveLength(3);
});

test("uses the newest Python on the PATH that can create environments", async () => {
  python("python3", "3.10.9");
  python("python3.13", "3.13.0", "ensurepip");
  python("python3.12", "3.12.1");
  expect(await ensure()).toEqual({ python: expect.stringContaining("/3.12.1-") });
});

test.each([
  ["there is no Python interpreter", () => undefined, "PATH. Install"],
  [
    "the Python interpreter is too old",
    () => python("python3", "3.10.9"),
    "PATH; python3 is 3.10.9. Install",
  ],
  [
    "the venv module of the Python interpreter is missing",
    () => python("python3.11", "3.11.7", "ensurepip"),
    "PATH; python3.11 (3.11.7) has no venv module. Install",
  ],
])("reports that %s", async (_, prepare, reason) => {
  prepare();
  expect(await ensure()).toEqual({
    missing: `no Python 3.11 or later with its venv module is on ${reason} Python 3.11 or later (python3, python3-venv).`,
  });
});

test("reports that packages cannot be installed, and leaves nothing behind", async () => {
  python("python3", "3.12.1", "install");
  expect(await ensure()).toEqual({
    missing:
      "`python -m pip` failed: No matching distribution. Run the tests on a machine on which pip can reach PyPI or a mirror of it.",
  });
  expect(kept()).toEqual([]);
});

test("rejects on an interrupt, and leaves nothing behind", async () => {
  const interrupt = new AbortController();
  writeFile(join(folder, "bin", "python3"), interruptible());
  const ensuring = ensurePythonEnvironment(requirements, env, interrupt.signal);
  while (!existsSync(join(folder, "started"))) await new Promise(setImmediate);
  interrupt.abort(new Error("interrupted"));
  await expect(ensuring).rejects.toThrow("interrupted");
  expect(kept()).toEqual([]);
});

/** Returns a Python command that never finishes creating an environment. */
const interruptible = () => `#!/bin/sh
case "$*" in
  *platform*) echo '["3.12.1", "/somewhere"]' ;;
  *"-m venv"*) echo > ${join(folder, "started")}; /bin/sleep 600 ;;
esac
`;
