import { run } from "../process";

/** Minimum Python version of the clients. */
export const minPythonVersion = "3.11";

/** Python installation that can create virtual environments. */
export interface Interpreter {
  command: string;
  version: string;
  /** Installation folder, which distinguishes installations of the same version. */
  home: string;
}

const commands = ["python3.14", "python3.13", "python3.12", "python3.11", "python3"];
const script = "import json, platform, sys; print(json.dumps([platform.python_version(), sys.base_prefix]))";

/**
 * Finds the first Python on the PATH that is recent enough and has the `venv` module; otherwise returns the reason why
 * there is none.
 */
export async function findInterpreter(env: NodeJS.ProcessEnv): Promise<Interpreter | string> {
  const seen: string[] = [];
  for (const command of commands) {
    const { code, stdout } = await run(command, ["-c", script], { env });
    if (code !== 0) continue;
    const [version, home] = JSON.parse(stdout) as [string, string];
    if (!isRecent(version)) seen.push(`${command} is ${version}`);
    else if ((await run(command, ["-c", "import ensurepip, venv"], { env })).code !== 0)
      seen.push(`${command} (${version}) has no venv module`);
    else return { command, version, home };
  }
  return `no Python ${minPythonVersion} or later with its venv module is on PATH${seen.map((text) => `; ${text}`).join("")}`;
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = minPythonVersion.split(".").map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
