import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RolloutJournal } from "../../build/journal";
import { run } from "./command";
import { installationEnvironment, pythonIn } from "./environment";
import type { Search, Tools } from "./interpreter";
import type { Requirements } from "./requirements";
import { runtimePackages } from "./packages";

/** Number of output lines that the error of an installer quotes. */
const quotedLines = 6;

/** Creates a virtual environment in a new folder and installs packages into it. */
export async function makeEnvironment(
  folder: string,
  { python, uv }: Tools,
  requirements: Requirements,
  journal: RolloutJournal,
  search: Search,
): Promise<void> {
  // uv does not read pip's settings.
  const byUv = requirements.pipConfigFile === undefined ? uv : undefined;
  const environment = {
    ...installationEnvironment(),
    ...(requirements.pipConfigFile && { PIP_CONFIG_FILE: requirements.pipConfigFile }),
  };
  const made = byUv
    ? await run({ command: byUv, args: ["venv", "--python", python.command, folder], environment, ...search })
    : await run({ command: python.command, args: ["-m", "venv", folder], environment, ...search });
  if (made.code !== 0)
    throw new Error(
      `Python ${python.version} (${python.command}) cannot create a virtual environment: ${said(made.lines)}. ` +
        "Install its venv module (python3-venv), or uv.",
    );
  const list = `${folder}-requirements.txt`;
  await writeFile(list, `${requirements.lines.join("\n")}\n`);
  const words = ["-r", list];
  if (requirements.lock !== undefined) {
    const constraints = `${folder}-constraints.txt`;
    await writeConstraints(requirements.lock, constraints, pythonIn(folder), environment, search);
    words.push("-c", constraints);
  }
  const command = byUv ?? pythonIn(folder);
  const args = byUv
    ? ["pip", "install", "--python", pythonIn(folder), "--no-progress", "--compile-bytecode", ...words]
    : [
        "-m",
        "pip",
        "install",
        "--disable-pip-version-check",
        "--no-input",
        "--progress-bar",
        "off",
        ...words,
      ];
  const name = byUv ? "uv pip install" : "pip install";
  journal.log("build", "INFO", `Running ${name} with Python ${python.version}.`);
  const line = (text: string) => journal.log("build", installerLevel(text), text);
  const { code, lines } = await run({ command, args, environment, line, ...search });
  if (code !== 0) throw new Error(`${name} exited with code ${code}: ${errorIn(lines)}. See the build log.`);
  await writeFile(join(folder, "python-version"), python.version);
}

/** Returns the level of a line of pip or uv output. Only summaries, warnings, and errors are relevant to users. */
export function installerLevel(text: string): "DEBUG" | "INFO" | "WARNING" | "ERROR" {
  if (/^\s*(ERROR|error)\b|^\s*×/.test(text)) return "ERROR";
  if (/^\s*(WARNING|warning)\b/.test(text)) return "WARNING";
  return /^(Successfully installed|Installed \d+ packages?)\b/.test(text) ? "INFO" : "DEBUG";
}

/**
 * Returns the error of the installer: conflicting requirements, pip's errors, or uv's output from its first error
 * onward. Quotes only the first lines.
 */
function errorIn(lines: string[]): string {
  const conflict = lines.findIndex((line) => /^The conflict is caused by:/.test(line));
  if (conflict !== -1) {
    const end = lines.findIndex((line, at) => at > conflict && /^To fix this/.test(line));
    const causes = lines.slice(conflict + 1, end === -1 ? undefined : end);
    return `the requirements conflict: ${said(causes.slice(0, quotedLines))}`;
  }
  const errors = lines.filter((line) => /^\s*ERROR:/.test(line));
  if (errors.length > 0) return said(errors.slice(0, quotedLines));
  const first = lines.findIndex((line) => /^\s*(×|error)/.test(line));
  return said(first === -1 ? lines.slice(-2) : lines.slice(first, first + quotedLines));
}

function said(lines: string[]): string {
  const text = lines
    .map((line) => line.replace(/^\s*([×╰─▶│]+|ERROR:|error:)?\s*/, "").trim())
    .filter(Boolean)
    .join("; ");
  return text.replace(/\.$/, "") || "it reported no error";
}

/**
 * Script that prints `name==version` for every package in a `uv.lock` that has a single version and comes from an
 * index.
 */
const reading = `
import sys, tomllib
versions = {}
for package in tomllib.load(open(sys.argv[1], "rb")).get("package", []):
    if "registry" in package.get("source", {}) and "version" in package:
        versions.setdefault(package["name"], set()).add(package["version"])
for name, found in sorted(versions.items()):
    if len(found) == 1:
        print(f"{name}=={found.pop()}")
`;

/** Writes the versions in a `uv.lock` as constraints for pip and uv, except for the packages of the runtime itself. */
async function writeConstraints(
  lock: string,
  file: string,
  python: string,
  environment: Record<string, string>,
  search: Search,
): Promise<void> {
  const args = ["-c", reading, lock];
  const { code, lines } = await run({ command: python, args, environment, ...search });
  if (code !== 0)
    throw new Error(`uv.lock cannot be read: ${lines.at(-1)?.trim() ?? "Python reported no error"}.`);
  const kept = lines.filter((line) => !Object.hasOwn(runtimePackages, line.split("==")[0]!));
  await writeFile(file, `${kept.join("\n")}\n`);
}
