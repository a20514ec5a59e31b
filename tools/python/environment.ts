import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../cache-folder";
import { fillFolder } from "../filled-folder";
import { run } from "../process";

/** Virtual environment, or the reason that there is none and how to fix that. */
export type PythonEnvironment = { python: string } | { missing: string };

/** Name of the file that marks a folder as complete. It is written last. */
const finished = "finished";

/**
 * Creates and caches a virtual environment with the packages of a fully pinned requirements file. Start its programs
 * with `python -m`, because the scripts of the programs contain the path at which the environment was created.
 */
export async function ensurePythonEnvironment(
  requirements: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<PythonEnvironment> {
  const interpreter = await findInterpreter(env);
  if (typeof interpreter === "string")
    return {
      missing: `${interpreter}. Install Python ${minPythonVersion} or later (python3, python3-venv).`,
    };
  const cache = join(cacheFolder(env), "python");
  const name = nameOf(interpreter, requirements);
  try {
    if (!isComplete(join(cache, name)))
      await fillFolder(
        cache,
        name,
        {
          make: (folder) => make(folder, interpreter, requirements, { env, signal }),
          isComplete,
          contentName: "Python environment",
        },
        { signal },
      );
  } catch (error) {
    if (signal?.aborted) throw error;
    return {
      missing: `${(error as Error).message}. Run the tests on a machine on which pip can reach PyPI or a mirror of it.`,
    };
  }
  return { python: pythonIn(join(cache, name)) };
}

async function make(
  folder: string,
  { command }: Interpreter,
  requirements: string,
  options: { env: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<void> {
  const python = pythonIn(folder);
  const pip = ["-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet"];
  const steps: [string, string[]][] = [
    [command, ["-m", "venv", folder]],
    // The file lists all packages, so dependencies are not resolved; the check fails if one is missing.
    [python, [...pip, "install", "--no-deps", "--requirement", requirements]],
    [python, [...pip, "check"]],
  ];
  for (const [program, args] of steps) {
    const { code, stdout, stderr } = await run(program, args, options);
    if (code !== 0)
      throw new Error(`\`python ${args.slice(0, 2).join(" ")}\` failed: ${lastLine(stderr || stdout)}`);
  }
  writeFileSync(join(folder, finished), "");
}

/** True if the environment is complete and the Python installation that it links to still exists. */
function isComplete(folder: string): boolean {
  return existsSync(join(folder, finished)) && existsSync(pythonIn(folder));
}

const pythonIn = (folder: string): string => join(folder, "bin", "python");

function nameOf({ version, home }: Interpreter, requirements: string): string {
  const hash = createHash("sha256").update(readFileSync(requirements)).update(home);
  return `${version}-${process.platform}-${process.arch}-${hash.digest("hex").slice(0, 12)}`;
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)!.replace(/\.$/, "");
}

/** Minimum Python version of the clients. */
const minPythonVersion = "3.11";

/** Python installation that can create virtual environments. */
interface Interpreter {
  command: string;
  version: string;
  /** Installation folder, which distinguishes installations of the same version. */
  home: string;
}

const commands = ["python3.14", "python3.13", "python3.12", "python3.11", "python3"];
const script = "import json, platform, sys; print(json.dumps([platform.python_version(), sys.base_prefix]))";

/**
 * Finds the first Python on the PATH that is recent enough and has the `venv` module. If there is none, returns the
 * reason.
 */
async function findInterpreter(env: NodeJS.ProcessEnv): Promise<Interpreter | string> {
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
