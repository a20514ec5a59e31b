import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../cache-folder";
import { fillFolder } from "../filled-folder";
import { run } from "../process";
import { findInterpreter, type Interpreter, minPythonVersion } from "./interpreter";

/** Virtual environment, or the reason why there is none and the action to take. */
export type PythonEnvironment = { python: string } | { missing: string };

/** Name of the file that marks a complete folder; it is written last. */
const finished = "finished";

/**
 * Creates and caches a virtual environment with the packages of a fully pinned requirements file. Start its programs as
 * `python -m`, because their own scripts contain the path at which they were created.
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
