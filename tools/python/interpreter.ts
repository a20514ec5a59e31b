import { run } from "../process";

/** The oldest Python that the clients support. */
export const oldestPython = "3.11";

/** A Python that can make virtual environments. */
export interface Interpreter {
  command: string;
  version: string;
  /** Where it is installed; two of one version are told apart by it. */
  home: string;
}

const commands = ["python3.14", "python3.13", "python3.12", "python3.11", "python3"];
const question =
  "import json, platform, sys; print(json.dumps([platform.python_version(), sys.base_prefix]))";

/** The first Python on the PATH that is recent enough and has its `venv` module; else why there is none. */
export async function findInterpreter(env: NodeJS.ProcessEnv): Promise<Interpreter | string> {
  const seen: string[] = [];
  for (const command of commands) {
    const { code, stdout } = await run(command, ["-c", question], { env });
    if (code !== 0) continue;
    const [version, home] = JSON.parse(stdout) as [string, string];
    if (!isRecent(version)) seen.push(`${command} is ${version}`);
    else if ((await run(command, ["-c", "import ensurepip, venv"], { env })).code !== 0)
      seen.push(`${command} (${version}) has no venv module`);
    else return { command, version, home };
  }
  return `no Python ${oldestPython} or later with its venv module is on PATH${seen.map((text) => `; ${text}`).join("")}`;
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestPython.split(".").map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
