import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const names = ["python3", "python3.13", "python3.12", "python3.11"];
const question = "import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))";

/**
 * Returns `describe` for tests of Python agents. If Python 3.11 with its `venv` module is missing, or if there is
 * neither a package index nor the installed packages, returns `describe.skip` and prints the reason. In CI, throws an
 * error instead.
 */
export function describeWithPython(file: string, env: NodeJS.ProcessEnv = process.env): jest.Describe {
  const python = names.find((name) => spawnSync(name, ["-c", question], { env }).status === 0);
  const why =
    python === undefined
      ? "there is no Python 3.11 or later with its venv module on the PATH"
      : isInstalledBefore(env) || reachesIndex(python, env)
        ? undefined
        : "pip reaches no package index";
  if (why === undefined) return describe;
  if (env.CI === "true") throw new Error(`${file} needs Python: ${why}.`);
  process.stderr.write(`Skipped: ${file} needs Python: ${why}.\n`);
  return describe.skip;
}

function isInstalledBefore(env: NodeJS.ProcessEnv): boolean {
  const caches =
    env.AGENTSERVER_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-agentserver");
  const known = join(caches, "python-environments");
  return existsSync(known) && readdirSync(known).length > 0;
}

function reachesIndex(python: string, env: NodeJS.ProcessEnv): boolean {
  const args = ["-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir", "--dest", "/dev/null"];
  const { stderr } = spawnSync(python, [...args, "titlecase==2.4.1"], {
    env,
    encoding: "utf8",
    timeout: 30_000,
  });
  return !/No matching distribution|Retrying|ConnectionError/.test(stderr);
}
