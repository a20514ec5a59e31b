import { existsSync } from "node:fs";
import { readFile, rm, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { shippedScript } from "../../../process/package-folder";
import type { RolloutJournal } from "../../build/journal";
import type { PythonLanguage } from "../../build/graph-language";
import type { Project, Runtime } from "../runtime";
import { agentLogEntry } from "./agent-log";
import { activated, environmentFolder, pythonIn, installationEnvironment } from "./environment";
import { indexCredentials } from "./index-credentials";
import { makeEnvironment } from "./installer";
import { findTools, type Search, type Tools } from "./interpreter";
import { keepKnown, takeKnown } from "./known-environments";
import { runtimePackages } from "./packages";
import { readRequirements, type Requirements } from "./requirements";
import { createHash } from "node:crypto";

/** Runtime for Python graphs, in a virtual environment of the revision. */
export const pythonRuntime: Runtime = {
  /** Installs only the runtime. The project's own command installs everything else. */
  prepare: (project, journal, signal) => install(project, journal, signal, []),
  install: (project, journal, signal) => install(project, journal, signal, language(project).dependencies),
  restore: (project) => Promise.resolve(existsSync(pythonIn(environmentFolder(project)))),
  commandEnvironment: (project) => activated(environmentFolder(project)),
  async describe(project) {
    const version = await readFile(join(environmentFolder(project), "python-version"), "utf8");
    return `Python ${version.trim()}`;
  },
  agentCommand({ configuration: { graphs, options }, ...start }) {
    const { root, stateFolder, workers, folder } = start;
    const folders = language(start).dependencies.filter((dependency) => dependency.startsWith("."));
    const path = [...new Set([folder, ...folders.map((dependency) => join(folder, dependency))])];
    const launch = { root, stateFolder, workers, graphs, options, path };
    return {
      command: pythonIn(environmentFolder(start)),
      args: ["-P", shippedScript("agent-server/python/serve.py"), JSON.stringify(launch)],
      environment: { ...activated(environmentFolder(start)), PYTHONUNBUFFERED: "1" },
    };
  },
  logEntry: agentLogEntry,
};

function language(project: Project): PythonLanguage {
  if (project.language.name !== "python") throw new Error("This project has no Python graphs.");
  return project.language;
}

async function install(
  project: Project,
  journal: RolloutJournal,
  signal: AbortSignal,
  dependencies: string[],
): Promise<void> {
  const { root, folder, owner } = project;
  const asked = { ...language(project), dependencies };
  const skipped: string[] = [];
  const search: Search = { folder, owner, signal, skipped: (why) => void skipped.push(why) };
  const requirements = await readRequirements(root, folder, asked);
  journal.hide(await indexCredentials(requirements.files));
  const tools = await findTools(asked.version, search).catch((error: unknown) => {
    for (const why of skipped) journal.log("build", "INFO", `Skipped a Python interpreter: ${why}.`);
    throw error;
  });
  const environment = environmentFolder(project);
  await rm(environment, { recursive: true, force: true });
  const key = await dependencyKey(root, tools, requirements);
  if (key !== undefined && (await takeKnown(key, environment, root))) {
    const { version } = tools.python;
    journal.log(
      "build",
      "INFO",
      `The same packages have already been installed for Python ${version}; reusing that environment.`,
    );
    return;
  }
  const serving = Object.entries(runtimePackages).map(([name, version]) => `${name} ${version}`);
  journal.log("build", "INFO", `Installing the packages of the project as well as ${serving.join(" and ")}.`);
  await makeEnvironment(environment, tools, requirements, journal, search);
  signal.throwIfAborted();
  if (key !== undefined) await keepKnown(key, environment, root);
}

/** Format version, incremented when environments are created differently. */
const format = 2;

/** Matches folders that do not contain packages of the project itself. */
const aside = /^(\.|node_modules$|__pycache__$|tests?$|docs?$)/;

/**
 * Returns a key for everything that determines the result of an installation, so that equal keys mean equal
 * environments. Returns `undefined` if the result also depends on other code in the source.
 */
async function dependencyKey(
  root: string,
  { python, uv }: Tools,
  requirements: Requirements,
): Promise<string | undefined> {
  if (!requirements.repeatable) return undefined;
  const settings = Object.entries(installationEnvironment()).filter(([name]) => /^(PIP|UV)_/.test(name));
  const hash = createHash("sha256");
  const add = (...parts: unknown[]) => hash.update(`${JSON.stringify(parts)}\n`);
  add(format, process.platform, process.arch, python, uv !== undefined, settings.sort());
  // Relative to the source, so that the key does not depend on its location.
  add(requirements.lines.map((line) => line.replaceAll(root, "")));
  for (const file of requirements.files) add(relative(root, file), await readFile(file, "utf8"));
  for (const folder of requirements.projects) add(relative(root, folder), await packagesIn(folder));
  return hash.digest("hex").slice(0, 32);
}

/**
 * Returns the Python packages of a project. They are part of the key, because an editable installation detects new
 * modules but not new packages.
 */
async function packagesIn(folder: string, depth = 2): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && depth > 0 && !aside.test(entry.name)) {
      found.push(entry.name);
      for (const inner of await packagesIn(join(folder, entry.name), depth - 1))
        found.push(join(entry.name, inner));
    } else if (entry.name.endsWith(".py") && depth === 2) found.push(entry.name);
  }
  return found.sort();
}
