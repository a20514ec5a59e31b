import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { repositoryRoot, workFolder } from "../repository";

/** Paths of the quickstart's files, all of which are in the ignored work folder. */
export const paths = {
  /** Folder for the state of the local control plane. */
  controlPlane: join(workFolder, "control-plane"),
  controlPlaneLog: join(workFolder, "control-plane.log"),
  /** File with the API key and workspace of the local control plane. */
  credentials: join(workFolder, "control-plane", "credentials.json"),
  /** Folder for the stacks and the home folder of the engine. */
  engine: join(workFolder, "engine"),
  /** File that contains the passphrase of the stacks. */
  passphrase: join(workFolder, "passphrase"),
  /** Script that sets up a shell for the user's own programs. */
  shellSettings: join(workFolder, "pulumi.sh"),
  /** SDK of the provider plugin for Python programs. */
  pythonSdk: join(workFolder, "python-sdk"),
  /** Lock that is held by the command that uses the stack. */
  lock: join(workFolder, "stack.lock"),
};

/** Name of each example's stack. */
export const stackName = "local";

/** Example that `npm run up` can run. */
export interface Example {
  name: string;
  /** Language of the example's program. */
  language: "nodejs" | "python";
  /** Folder of the agent, which is deployed in its current state. */
  agentFolder: string;
  /** Git repository that the agent is deployed from. */
  agentRepository: string;
  /** Folder of the Pulumi project. */
  projectFolder: string;
  /** Folder with the settings of the stack. The Pulumi project refers to this folder. */
  stackConfig: string;
  /** Script that sets up a shell for the stack of the example. */
  shellSettings: string;
}

const quickstart = "quickstart";
const examples = join(repositoryRoot, "examples");
const projects = join(workFolder, "examples");

/** Returns the example that `--example` specifies; by default, the quickstart. */
export function selectExample(args: readonly string[]): Example {
  const at = args.indexOf("--example");
  const name = at === -1 ? quickstart : args[at + 1];
  const available = readdirSync(examples).filter(isRunnable);
  if (name === undefined || !available.includes(name))
    throw new Error(
      `${JSON.stringify(name ?? "")} is not an example that this command can run. Available examples: ${available.join(", ")}. The README files of the other examples list their commands.`,
    );
  return example(name);
}

/** Returns the quickstart and all other examples that have been started. */
export function startedExamples(): Example[] {
  const others = existsSync(projects) ? readdirSync(projects).filter(isRunnable) : [];
  return [quickstart, ...others].map(example);
}

/**
 * Writes the Pulumi project of an example next to its settings, unless the example is the quickstart. The examples' own
 * folders are not changed.
 */
export function ensureProject({ name, language, projectFolder, stackConfig }: Example): void {
  mkdirSync(stackConfig, { recursive: true });
  if (name === quickstart) return;
  const main = relative(projectFolder, join(examples, name));
  const text = `name: ${name}\nruntime: ${language}\nmain: ${main}\nstackConfigDir: config\n`;
  const plugin = { name: "agentserver", path: join(repositoryRoot, "node_modules", ".bin") };
  const plugins = language === "python" ? `plugins: ${JSON.stringify({ providers: [plugin] })}\n` : "";
  writeFileSync(join(projectFolder, "Pulumi.yaml"), text + plugins);
}

/** Main files of programs, by language. */
const programs = { nodejs: "index.ts", python: "__main__.py" } as const;

function languageOf(name: string): Example["language"] {
  return existsSync(join(examples, name, programs.python)) ? "python" : "nodejs";
}

/** True if the example has an agent and its program accepts a repository and a commit. */
function isRunnable(name: string): boolean {
  const program = programs[languageOf(name)];
  const files = [join(examples, name, "agent", "langgraph.json"), join(examples, name, program)];
  if (!files.every((file) => existsSync(file))) return false;
  const text = readFileSync(files[1]!, "utf8");
  return ["repoUrl", "repoRef"].every((key) => text.includes(`config.require("${key}")`));
}

function example(name: string): Example {
  const isQuickstart = name === quickstart;
  const projectFolder = isQuickstart ? repositoryRoot : join(projects, name);
  return {
    name,
    language: languageOf(name),
    agentFolder: join(examples, name, "agent"),
    agentRepository: isQuickstart ? join(workFolder, "agent.git") : join(projectFolder, "agent.git"),
    projectFolder,
    stackConfig: isQuickstart ? join(workFolder, "config") : join(projectFolder, "config"),
    shellSettings: join(isQuickstart ? workFolder : projectFolder, "environment.sh"),
  };
}
