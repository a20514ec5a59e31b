import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { repositoryRoot, workFolder } from "../repository";

/** Where the quickstart keeps what it makes; all of it is below the ignored work folder. */
export const places = {
  /** The local control plane's state. */
  controlPlane: join(workFolder, "control-plane"),
  controlPlaneLog: join(workFolder, "control-plane.log"),
  /** The engine's stacks and home. */
  engine: join(workFolder, "engine"),
  /** Passphrase of the stacks' secrets. */
  passphrase: join(workFolder, "passphrase"),
  /** Held by the command that works on the stack. */
  lock: join(workFolder, "stack.lock"),
};

/** Name of the stack of each example. */
export const stackName = "local";

/** One example that `npm run up` can run. */
export interface Example {
  name: string;
  /** Its agent's folder, which is deployed as it stands. */
  agentFolder: string;
  /** The git repository that the agent is deployed from. */
  agentRepository: string;
  /** Where the engine finds the project. */
  projectFolder: string;
  /** Settings of its stack; the project names this folder. */
  stackConfig: string;
}

const quickstart = "quickstart";
const examples = join(repositoryRoot, "examples");
const projects = join(workFolder, "examples");

/** The example that `--example` names; without it, the quickstart. */
export function exampleIn(words: readonly string[]): Example {
  const at = words.indexOf("--example");
  const name = at === -1 ? quickstart : words[at + 1];
  const known = readdirSync(examples).filter(isRunnable);
  if (name === undefined || !known.includes(name))
    throw new Error(
      `There is no example ${JSON.stringify(name ?? "")} that can be run so; there are ${known.join(", ")}. Others have their commands in their README.`,
    );
  return example(name);
}

/** All examples that were run and not ended. */
export function startedExamples(): Example[] {
  const others = existsSync(projects) ? readdirSync(projects).filter(isRunnable) : [];
  return [quickstart, ...others].map(example);
}

/** Writes the project of an example that is not the repository's own, beside its settings: examples stay as they are. */
export function ensureProject({ name, projectFolder, stackConfig }: Example): void {
  mkdirSync(stackConfig, { recursive: true });
  if (name === quickstart) return;
  const main = relative(projectFolder, join(examples, name));
  const text = `name: ${name}\nruntime: nodejs\nmain: ${main}\nstackConfigDir: config\n`;
  writeFileSync(join(projectFolder, "Pulumi.yaml"), text);
}

/** An example whose program takes a repository and a commit of it, and whose agent is beside it. */
function isRunnable(name: string): boolean {
  const [agent, program] = [
    join(examples, name, "agent", "langgraph.json"),
    join(examples, name, "index.ts"),
  ];
  if (!existsSync(agent) || !existsSync(program)) return false;
  const text = readFileSync(program, "utf8");
  return ["repoUrl", "repoRef"].every((key) => text.includes(`config.require("${key}")`));
}

function example(name: string): Example {
  const own = name === quickstart;
  const projectFolder = own ? repositoryRoot : join(projects, name);
  return {
    name,
    agentFolder: join(examples, name, "agent"),
    agentRepository: own ? join(workFolder, "agent.git") : join(projectFolder, "agent.git"),
    projectFolder,
    stackConfig: own ? join(workFolder, "config") : join(projectFolder, "config"),
  };
}
