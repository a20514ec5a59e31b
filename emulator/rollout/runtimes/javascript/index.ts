import { createRequire } from "node:module";
import { join, dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { packageFolder, shippedScript } from "../../../process/package-folder";
import type { Runtime } from "../runtime";
import { installDependencies } from "./npm";
import { stripVTControlCharacters } from "node:util";
import type { LogLevel } from "../../rollout";
import { type AgentLogEntry, guessedEntry, plainLine } from "../agent-log";
import { mkdir, rm, symlink } from "node:fs/promises";

/** Runtime for JavaScript and TypeScript graphs, with the Node.js version and the packages of the control plane. */
export const javascriptRuntime: Runtime = {
  prepare: ({ revisionFolder }) => offerRuntimePackages(revisionFolder),
  async install(project, journal, signal) {
    await offerRuntimePackages(project.revisionFolder);
    await installDependencies(project, journal, signal);
  },
  async restore({ revisionFolder }) {
    await offerRuntimePackages(revisionFolder);
    return true;
  },
  commandEnvironment: () => ({}),
  describe: () => Promise.resolve(`Node ${process.versions.node}`),
  agentCommand({ root, stateFolder, schemasFile, configuration: { graphs, options }, workers }) {
    const launch = { root, stateFolder, schemasFile, graphs, options, workers };
    return {
      command: process.execPath,
      args: [
        "--import",
        pathToFileURL(shippedScript("agent-server/typescript.mjs")).href,
        shippedScript("agent-server/serve.mjs"),
        JSON.stringify(launch),
      ],
      environment: {},
    };
  },
  logEntry: agentLogEntry,
};

/** Parses a line that the agent server printed: one of its own JSON records, or any output of the project's code. */
function agentLogEntry(line: string, from: "stdout" | "stderr"): AgentLogEntry | undefined {
  const text = plainLine(line);
  return text === undefined ? undefined : (runtimeRecord(text) ?? guessedEntry(text, from));
}

const runtimeLevels: Record<string, LogLevel> = {
  error: "ERROR",
  warn: "WARNING",
  info: "INFO",
  verbose: "DEBUG",
  debug: "DEBUG",
};

function runtimeRecord(text: string): AgentLogEntry | undefined {
  if (!text.startsWith('{"timestamp":')) return undefined;
  try {
    const { timestamp: _, level, event, ...facts } = JSON.parse(text) as Record<string, unknown>;
    const said = stripVTControlCharacters(String(event));
    const known = runtimeLevels[String(level)] ?? "INFO";
    return {
      // Each request is logged when it starts and when it ends.
      level: /^(<--|-->) /.test(said) ? "DEBUG" : known,
      message: Object.keys(facts).length > 0 ? `${said} ${JSON.stringify(facts)}` : said,
    };
  } catch {
    return undefined;
  }
}

/** Packages that a graph may import without declaring them in its own package.json. */
const offered = ["@langchain/core", "@langchain/langgraph", "@langchain/langgraph-sdk"];

/**
 * Makes the packages of the runtime resolvable for a checkout below `revisionFolder`. Node.js looks for packages in
 * every parent folder of the importing file, nearest first. Links above the checkout therefore do not change its files,
 * and packages that the project installs take precedence.
 */
async function offerRuntimePackages(revisionFolder: string): Promise<void> {
  const resolveFrom = createRequire(join(packageFolder(), "package.json"));
  const scope = join(revisionFolder, "node_modules", "@langchain");
  await rm(scope, { recursive: true, force: true });
  await mkdir(scope, { recursive: true });
  for (const name of offered) {
    const folder = dirname(resolveFrom.resolve(`${name}/package.json`));
    await symlink(folder, join(revisionFolder, "node_modules", name), "dir");
  }
}
