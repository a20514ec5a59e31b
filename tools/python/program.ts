import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../process";
import { repositoryRoot } from "../repository";
import { packageSchemaPath } from "../schemas/package-schema";
import { generateSdks, generatorName, type GeneratorOptions } from "../sdks/generator";
import { ensurePythonEnvironment } from "./environment";

/** Command that runs Python programs with the engine, without a language host. */
export interface PythonProgram {
  /** Interpreter and script. The arguments are the stack, the engine command, and the configuration. */
  command: [python: string, script: string];
  /** Environment variables, in addition to those of the engine. */
  env: Record<string, string>;
}

/** Path of the pinned requirements for running Python programs and checking the Python SDK. */
export const pythonRequirements = join(repositoryRoot, "tools", "python", "requirements.txt");

/**
 * Generates the Python SDK of the provider plugin and installs it into a folder. Does nothing if the schema and the
 * generator have not changed.
 * @throws Error with the reason if Python or Go is missing
 */
export async function ensurePythonProgram(folder: string, options: GeneratorOptions): Promise<PythonProgram> {
  const environment = await ensurePythonEnvironment(pythonRequirements, options.env, options.signal);
  if ("missing" in environment) throw new Error(environment.missing);
  const { python } = environment;
  const packages = join(folder, "packages");
  const stampFile = join(folder, "installed");
  const stamp = createHash("sha256")
    .update(readFileSync(join(repositoryRoot, packageSchemaPath)))
    .update(generatorName())
    .update(python)
    .digest("hex");
  if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== stamp) {
    rmSync(folder, { recursive: true, force: true });
    await generateSdks(folder, options);
    await installPythonPackage(python, join(folder, "python"), packages, options);
    writeFileSync(stampFile, stamp);
  }
  return {
    command: [python, join(repositoryRoot, "tools", "python", "run_program.py")],
    env: { PYTHONPATH: packages },
  };
}

/** Installs a package in a folder without using the package index. */
export async function installPythonPackage(
  python: string,
  source: string,
  target: string,
  { env, signal }: Pick<GeneratorOptions, "env" | "signal">,
): Promise<void> {
  const offline = ["--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check"];
  const args = ["-m", "pip", "install", "--quiet", ...offline, "--target", target, source];
  const { code, stderr } = await run(python, args, { env, signal });
  if (code !== 0) throw new Error(`The Python package in ${source} could not be installed: ${stderr.trim()}`);
}
