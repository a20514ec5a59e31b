import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { shippedScript } from "../../../process/package-folder";
import type { RolloutJournal } from "../../build/journal";
import type { PythonLanguage } from "../../build/graph-language";
import type { Project, Runtime } from "../runtime";
import { agentLogEntry } from "./agent-log";
import { dependencyKey } from "./dependency-key";
import { activated, environmentFolder, pythonIn } from "./environment";
import { indexCredentials } from "./index-credentials";
import { makeEnvironment } from "./installer";
import { findTools, type Search } from "./interpreter";
import { keepKnown, takeKnown } from "./known-environments";
import { runtimePackages } from "./packages";
import { readRequirements } from "./requirements";

/** Runtime of Python graphs, in a virtual environment of the revision. */
export const pythonRuntime: Runtime = {
  /** Installs only the runtime; the project's command installs the rest. */
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
  const passedOver: string[] = [];
  const search: Search = { folder, owner, signal, passedOver: (why) => void passedOver.push(why) };
  const requirements = await readRequirements(root, folder, asked);
  journal.hide(await indexCredentials(requirements.files));
  const tools = await findTools(asked.version, search).catch((error: unknown) => {
    for (const why of passedOver) journal.log("build", "INFO", `Not used: ${why}.`);
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
      `The same packages were installed before for Python ${version}; using that environment again.`,
    );
    return;
  }
  const serving = Object.entries(runtimePackages).map(([name, version]) => `${name} ${version}`);
  journal.log("build", "INFO", `Installing the packages of the project, and ${serving.join(" and ")}.`);
  await makeEnvironment(environment, tools, requirements, journal, search);
  signal.throwIfAborted();
  if (key !== undefined) await keepKnown(key, environment, root);
}
