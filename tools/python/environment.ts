import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../cache-folder";
import { fillFolder } from "../filled-folder";
import { run } from "../process";
import { findInterpreter, type Interpreter, oldestPython } from "./interpreter";

/** A virtual environment that is ready, or why there is none and what to do about it. */
export type PythonEnvironment = { python: string } | { missing: string };

/** Written last: what has it is whole. */
const finished = "finished";

/**
 * A virtual environment with the packages of a requirements file that pins all of them, made once and kept in the cache.
 * Programs in it are started as `python -m`: their own scripts name the folder where they were made.
 */
export async function ensurePythonEnvironment(
  requirements: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<PythonEnvironment> {
  const interpreter = await findInterpreter(env);
  if (typeof interpreter === "string")
    return { missing: `${interpreter}. Install Python ${oldestPython} or later (python3, python3-venv).` };
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
          what: "Python environment",
        },
        { signal },
      );
  } catch (error) {
    if (signal?.aborted) throw error;
    return {
      missing: `${(error as Error).message}. Run the tests where pip can reach PyPI, or a mirror of it.`,
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
    // The file is complete, so nothing is looked for beyond it; the check says so where it is not.
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

/** Also whether the Python that it was made with is still there: the environment's own is a link to it. */
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
