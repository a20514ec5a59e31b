import { existsSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { AgentServerError } from "../../provider/errors";
import { isInside, slashed } from "../../provider/local-source/files";
import { configCommand } from "../../provider/text/config-command";
import { shellOperands } from "../../provider/text/shell-word";
import { type CommandProcess, exitCodes } from "../command-process";
import { printable } from "../printable";
import { findGraphProject, type GraphProject } from "./graph-project";
import { integrationKey, type Language, programFiles } from "./program-files";

/** Options of `agentserver init`. */
export interface InitOptions {
  language?: Language;
  /** Output folder. Defaults to `infra` in the specified folder or, for manifests, `deployments`. */
  output?: string;
}

/** Patterns for the files that are created when a program is installed and run. */
const installedFiles = { python: "venv/\n__pycache__/\n", typescript: "node_modules/\n" };

/**
 * Writes a program or a manifest that deploys the graphs in a folder, prints the next commands, and resolves with the
 * exit code.
 */
export async function initProject(
  context: CommandProcess,
  folder: string,
  options: InitOptions,
  version: string,
): Promise<number> {
  const start = resolve(context.cwd, folder);
  const project = await findGraphProject(start, context);
  const language = options.language ?? project.language;
  const output = options.output
    ? resolve(context.cwd, options.output)
    : join(start, language === "manifests" ? "deployments" : "infra");
  const sourceFolder = slashed(relative(output, project.folder)) || ".";
  const files = programFiles(project, { language, sourceFolder, version }).map(({ name, text }) => ({
    path: join(output, name),
    text,
  }));
  const isPacked = !project.github && isInside(slashed(output), slashed(project.folder));
  const ignored = slashed(relative(project.folder, output));
  const ignoreFile = join(project.folder, ".dockerignore");
  const isIgnoring = isPacked && ignored !== "" && !existsSync(ignoreFile);
  if (isIgnoring) files.push({ path: ignoreFile, text: `/${ignored}\n` });
  const installedFile = join(output, ".gitignore");
  if (language !== "manifests" && !existsSync(installedFile))
    files.push({ path: installedFile, text: installedFiles[language] });
  const shown = (path: string) => relative(context.cwd, path) || ".";
  const existing = files
    .filter(({ path }) => lstatSync(path, { throwIfNoEntry: false }))
    .map(({ path }) => shown(path));
  if (existing.length > 0)
    throw new AgentServerError(
      "bad_configuration",
      `These files already exist, so nothing was written: ${existing.join(", ")}. Choose another folder with --output.`,
    );
  mkdirSync(output, { recursive: true });
  for (const { path, text } of files) writeFileSync(path, text, { flag: "wx" });
  const lines = [
    ...files.map(({ path }) => `Wrote ${shown(path)}`),
    "",
    ...notes(project, language),
    ...(isPacked && !isIgnoring && ignored !== ""
      ? [`Add /${ignored} to ${shown(ignoreFile)}, so that it is not deployed.`, ""]
      : []),
    "Next:",
    ...nextCommands(project, language, shown(output)).map((command) => `  ${command}`),
  ];
  await context.stdout.write(`${printable(lines.join("\n"))}\n`);
  return exitCodes.success;
}

function notes({ github, otherVariables, graphs }: GraphProject, language: Language): string[] {
  const lines = [
    github
      ? `The deployment builds ${github.ref} of ${github.url}. Push your changes before you deploy.`
      : "The deployment uploads the folder, because it is not in a repository on GitHub. This requires the langsmith dialect.",
    ...(graphs.length > 1 ? [`Each rollout is verified with the graph ${graphs[0]}.`] : []),
    ...(github && language === "manifests"
      ? ["On the public service, add the ID of your GitHub integration as sourceConfig.integrationId."]
      : []),
    ...(otherVariables.length > 0
      ? [
          `Not declared, because the control plane reserves these names or does not accept them: ${otherVariables.join(", ")}.`,
        ]
      : []),
  ];
  return [...lines, ""];
}

function nextCommands({ github, secrets }: GraphProject, language: Language, output: string): string[] {
  const setSecrets = secrets.map((name) => configCommand({ isSecret: true }, name));
  if (language === "manifests")
    return [
      `npx agentserver validate ${shellOperands(output)}`,
      ...setSecrets.map((command) => `${command}   # in the project that declares the folder as a Workspace`),
    ];
  return [
    `cd ${shellOperands(output)}`,
    language === "python" ? "pulumi install" : "npm install",
    "pulumi stack init dev",
    ...setSecrets,
    ...(github
      ? [`pulumi config set ${integrationKey} ID   # GitHub integration; only on the public service`]
      : []),
    "npx agentserver doctor --stack dev",
    "pulumi up",
  ];
}
