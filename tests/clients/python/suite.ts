import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { PythonEnvironment } from "../../../tools/python/environment";
import { run } from "../../../tools/process";
import { repositoryRoot } from "../../../tools/repository";
import type { Running } from "../../emulator/gateway/deployment";

const report = join(repositoryRoot, "tools", "python", "report.ts");

/**
 * Returns the Python environment of the clients, and creates it if necessary. If creating it fails, the tests of a file
 * are skipped with a reason, except in CI, where they fail.
 */
export function pythonEnvironment(file: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const requirements = join(__dirname, "requirements.txt");
  // Jest must collect the tests synchronously.
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", report, requirements], {
    cwd: repositoryRoot,
    encoding: "utf8",
    env,
  });
  if (stdout === "") throw new Error(stderr);
  const environment = JSON.parse(stdout) as PythonEnvironment;
  if ("python" in environment) return environment.python;
  const reason = `${file} needs Python: ${environment.missing}`;
  if (env.CI === "true") throw new Error(reason);
  process.stderr.write(`Skipped: ${reason}\n`);
  return undefined;
}

/** Runs a script from this folder as a user of the deployment. */
export async function runScript(python: string, script: string, { url, plane }: Running): Promise<void> {
  const env = {
    ...process.env,
    // Disables proxies and tracing, regardless of the machine's settings.
    no_proxy: "*",
    LANGSMITH_TRACING: "false",
    PYTHONDONTWRITEBYTECODE: "1",
    AGENT_URL: url,
    AGENT_API_KEY: plane.apiKey,
  };
  const { code, stdout, stderr } = await run(python, [join(__dirname, script)], { env });
  const output = (stdout + stderr).replaceAll(plane.apiKey, "<API_KEY>");
  if (code !== 0) throw new Error(`${script} ended with ${code}:\n${output}`);
}
