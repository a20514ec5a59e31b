import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { parseEnv } from "node:util";
import { z } from "zod";
import { allDialects } from "../../provider/control-plane/dialects";
import { variableName } from "../../provider/deployment/inputs/environment";
import { isReserved } from "../../provider/deployment/rules/environment-rules";
import { AgentServerError } from "../../provider/errors";
import { folderEnvironment, runGit } from "../../provider/repository/git";
import type { CommandProcess } from "../command-process";

/** Name of a graph configuration file. */
const configurationFile = "langgraph.json";

/** Number of subfolder levels to search for a graph configuration. */
const searchDepth = 3;

const configuration = z.looseObject({
  graphs: z
    .record(
      z.string(),
      z.union([z.string(), z.looseObject({ path: z.string() }).transform(({ path }) => path)]),
    )
    .refine((graphs) => Object.keys(graphs).length > 0),
  env: z.unknown().optional(),
});

/** Commit or branch of a repository on GitHub. */
interface GitHubSource {
  /** https URL without credentials. */
  url: string;
  /** Branch, or the commit if no branch is checked out. */
  ref: string;
  /** Path of the graph configuration in the repository. */
  configPath: string;
}

/** Information about a project that contains graphs. */
export interface GraphProject {
  /** Absolute path of the folder with the graph configuration. */
  folder: string;
  graphs: string[];
  language: "python" | "typescript";
  /** Names of the variables in the env file that are declared as secrets, without their values. */
  secrets: string[];
  /** Names of the other variables in the env file: reserved by the control plane, or invalid. */
  otherVariables: string[];
  /** Source on GitHub; undefined if the graph configuration is not in a GitHub repository. */
  github?: GitHubSource;
}

/**
 * Finds the graph configuration in a folder or its subfolders, and the information about its project.
 * @throws AgentServerError `bad_configuration` if there is no graph configuration, more than one, or one that cannot be
 * read
 */
export async function findGraphProject(
  folder: string,
  { env, signal }: Pick<CommandProcess, "env" | "signal">,
): Promise<GraphProject> {
  const file = findConfiguration(folder);
  const { graphs, env: envFile } = readConfiguration(file, relative(folder, file));
  const project = dirname(file);
  const variables = Object.keys(variablesIn(project, envFile));
  return {
    folder: project,
    graphs: Object.keys(graphs),
    language: Object.values(graphs).some(isPython) ? "python" : "typescript",
    secrets: variables.filter(isSecretName),
    otherVariables: variables.filter((name) => !isSecretName(name)),
    github: await findGitHubSource(project, env, signal),
  };
}

/** True if a graph is in a Python file, or in a module that is specified by name, as in `my_agent.graph:graph`. */
function isPython(graph: string): boolean {
  const [module = ""] = graph.split(":");
  return /\.py$/.test(module) || /^[A-Za-z_]\w*(\.(?![cm]?[jt]sx?$)[A-Za-z_]\w*)*$/.test(module);
}

function findConfiguration(folder: string): string {
  const [first, ...others] = configurationsIn(folder, searchDepth);
  if (first !== undefined && others.length === 0) return first;
  const found = [first, ...others].map((file) => file && relative(folder, file)).join(", ");
  throw new AgentServerError(
    "bad_configuration",
    first === undefined
      ? `No ${configurationFile} was found in ${folder} or its subfolders. Pass the folder that contains it.`
      : `More than one ${configurationFile} was found: ${found}. Pass the folder of one of them.`,
  );
}

/** Returns the graph configuration in a folder or, if there is none, those in its subfolders. */
function configurationsIn(folder: string, depth: number): string[] {
  const file = join(folder, configurationFile);
  if (existsSync(file)) return [file];
  if (depth === 0 || !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^\.|^(node_modules|venv)$/.test(entry.name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ name }) => configurationsIn(join(folder, name), depth - 1));
}

function readConfiguration(file: string, name: string): z.infer<typeof configuration> {
  try {
    return configuration.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new AgentServerError("bad_configuration", `${file} does not exist.`);
    throw new AgentServerError(
      "bad_configuration",
      `${name} is not a graph configuration: it must contain a JSON object whose \`graphs\` field names at least one graph.`,
    );
  }
}

/** Env file that a graph configuration specifies, with its variables. */
export interface EnvFile {
  /** Absolute path of the env file; undefined if the configuration does not specify a file. */
  path?: string;
  /** Values of the variables that control planes of all dialects accept as secrets, by name. */
  secrets: Record<string, string>;
  /** Names of the other variables: reserved by the control plane, or invalid. */
  otherVariables: string[];
}

/**
 * Reads the env file that the graph configuration in a folder specifies. A file that does not exist has no variables.
 * @throws AgentServerError `bad_configuration` if the configuration cannot be read
 */
export function readEnvFile(folder: string): EnvFile {
  const { env } = readConfiguration(join(folder, configurationFile), configurationFile);
  if (typeof env !== "string") return { secrets: {}, otherVariables: [] };
  const variables = Object.entries(variablesIn(folder, env));
  return {
    path: join(folder, env),
    secrets: Object.fromEntries(variables.filter(([name]) => isSecretName(name))),
    otherVariables: variables.map(([name]) => name).filter((name) => !isSecretName(name)),
  };
}

function variablesIn(folder: string, envFile: unknown): Record<string, string> {
  if (typeof envFile !== "string") return {};
  const file = join(folder, envFile);
  return existsSync(file) ? (parseEnv(readFileSync(file, "utf8")) as Record<string, string>) : {};
}

function isSecretName(name: string): boolean {
  return (
    variableName.safeParse(name).success && !allDialects.some((dialect) => isReserved(name, dialect, false))
  );
}

/** Returns the GitHub source of a folder; undefined if git does not track its graph configuration. */
async function findGitHubSource(
  folder: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<GitHubSource | undefined> {
  const git = async (...words: string[]) => {
    const end = await runGit(
      ["-C", folder, "-c", "core.fsmonitor=false", ...words],
      folderEnvironment(env),
      signal,
    );
    return end?.code === 0 ? end.stdout.trim() : undefined;
  };
  if ((await git("ls-files", "--error-unmatch", "--", configurationFile)) === undefined) return undefined;
  const remotes = (await git("remote"))?.split("\n") ?? [];
  const remote = remotes.includes("origin") ? "origin" : remotes[0];
  const url = remote && githubUrl((await git("config", "--get", `remote.${remote}.url`)) ?? "");
  const ref = (await git("symbolic-ref", "--quiet", "--short", "HEAD")) ?? (await git("rev-parse", "HEAD"));
  const prefix = await git("rev-parse", "--show-prefix");
  if (!url || ref === undefined || prefix === undefined) return undefined;
  return { url, ref, configPath: prefix + configurationFile };
}

/** Returns the https URL of a repository on GitHub, without credentials; undefined for other remotes. */
export function githubUrl(remote: string): string | undefined {
  const path =
    /^(?:(?:https?|ssh|git):\/\/(?:[^/@]*@)?github\.com(?::\d+)?\/|(?:[^/@:]+@)?github\.com:)(.+)$/i.exec(
      remote,
    )?.[1];
  const [, repository] = /^\/?([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(path ?? "") ?? [];
  return repository && `https://github.com/${repository}`;
}

/** Returns a deployment name that control planes of all dialects accept. */
export function deploymentName({ folder }: GraphProject): string {
  const name = basename(folder)
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^[^A-Za-z]+|-+$/g, "");
  return name.slice(0, 40).replace(/-+$/, "") || "agent";
}
