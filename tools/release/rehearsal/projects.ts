import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { extract } from "tar";
import { devDependencies } from "../../../package.json";
import { archiveName } from "../../executables/archives";
import { thisPlatform } from "../../executables/platforms";
import { ensurePythonEnvironment } from "../../python/environment";
import { pythonRequirements } from "../../python/program";
import { repositoryRoot } from "../../repository";
import { buildFlags, createGoModule } from "../../sdks/go-module";
import { type Surroundings, succeed } from "./surroundings";

/** Commands of the engine in a rehearsal. */
type EngineCommand = "preview" | "up" | "destroy";

/** Project that a user would create in one language, in an empty folder. */
export interface Project {
  /** Name of the project and of its stack. */
  name: string;
  /** Folder of the agent that the project deploys. */
  agent: string;
  /** Creates the project and installs the released files. */
  install: (folder: string, surroundings: Surroundings) => Promise<void>;
  /** Returns the program that runs a command of the engine. */
  command: (command: EngineCommand, folder: string, surroundings: Surroundings) => [string, ...string[]];
}

const example = (...path: string[]) => join(repositoryRoot, "examples", ...path);
const packages = (names: Record<string, string>) =>
  Object.entries(names).map(([name, version]) => `${name}@${version}`);

const { "@pulumi/pulumi": pulumi, "@types/node": nodeTypes, typescript } = devDependencies;
const nodePackages = packages({ "@pulumi/pulumi": pulumi, "@types/node": nodeTypes, typescript });

/** Project with a TypeScript program and the npm packages, including the local control plane. */
export const npmProject: Project = {
  name: "npm-packages",
  agent: example("quickstart", "agent"),
  install: (folder, surroundings) =>
    installNode(folder, surroundings, [
      "pulumi-agentserver",
      "agentserver-emulator",
      "pulumi-agentserver-policies",
    ]),
  command: nodeCommand,
};

/** Project with a TypeScript program and the Node.js SDK of the provider plugin. */
const nodeSdkProject: Project = {
  name: "node-sdk",
  agent: example("quickstart", "agent"),
  install: (folder, surroundings) =>
    installNode(folder, surroundings, ["pulumi-agentserver-plugin"], (program) =>
      program
        .replace('"pulumi-agentserver"', '"pulumi-agentserver-plugin"')
        .replace("agent.deploymentId", "agent.id"),
    ),
  command: nodeCommand,
};

/** Project with a Python program that deploys a Python agent. */
const pythonProject: Project = {
  name: "python-wheel",
  agent: example("python-program", "agent"),
  async install(folder, surroundings) {
    const environment = await ensurePythonEnvironment(pythonRequirements, process.env, surroundings.signal);
    if ("missing" in environment) throw new Error(environment.missing);
    writeProject(folder, this.name, "python");
    copyFileSync(example("python-program", "__main__.py"), join(folder, "__main__.py"));
    await succeed([environment.python, "-m", "venv", ".venv"], folder, surroundings);
    const wheel = join(surroundings.files, `pulumi_agentserver-${surroundings.version}-py3-none-any.whl`);
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    await succeed([pythonIn(folder), ...pip, wheel], folder, surroundings);
  },
  // The development engine has no language host for Python.
  command(command, folder) {
    const script = join(repositoryRoot, "tools", "python", "run_program.py");
    return [pythonIn(folder), script, this.name, command];
  },
};

/** Project with a Go program and the Go module. */
const goProject: Project = {
  name: "go-program",
  agent: example("quickstart", "agent"),
  async install(folder, surroundings) {
    const sdk = join(folder, "sdk");
    mkdirSync(sdk, { recursive: true });
    const archive = `pulumi-agentserver-go-${surroundings.version}.tar.gz`;
    await extract({ file: join(surroundings.files, archive), cwd: sdk });
    const main = join(repositoryRoot, "tests", "e2e", "go-program", "main.go");
    createGoModule(folder, sdk, { "main.go": readFileSync(main, "utf8") });
    writeProject(folder, this.name, "go");
    await succeed(["go", "build", ...buildFlags, "-o", "program", "."], folder, {
      ...surroundings,
      env: { ...surroundings.env, GOFLAGS: "-mod=mod", GOWORK: "off", CGO_ENABLED: "0" },
    });
  },
  command(command, folder) {
    return [join(folder, "program"), this.name, command];
  },
};

/** Projects that use the provider plugin. */
export const pluginProjects: readonly Project[] = [nodeSdkProject, pythonProject, goProject];

/** Installs the archive of the provider plugin for this platform. */
export async function installPlugin(surroundings: Surroundings): Promise<void> {
  const { pulumi: engine, files, folder, version } = surroundings;
  const args = ["plugin", "install", "resource", "agentserver", `v${version}`];
  await succeed([engine, ...args, "--file", join(files, archiveName(thisPlatform()))], folder, surroundings);
}

/** Runs the tests of the Python example with the wheels and the installed npm packages. */
export async function runPythonTests(surroundings: Surroundings): Promise<void> {
  const { files, folder, version } = surroundings;
  const tests = join(folder, "python-tests");
  mkdirSync(tests);
  for (const file of ["program.py", "test_program.py"])
    copyFileSync(example("testing-python", file), join(tests, file));
  symlinkSync(join(folder, npmProject.name, "node_modules"), join(tests, "node_modules"), "dir");
  const python = pythonIn(join(folder, pythonProject.name));
  const wheel = join(files, `pytest_agentserver-${version}-py3-none-any.whl`);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  await succeed([python, ...pip, wheel], tests, surroundings);
  await succeed([python, "-m", "pytest"], tests, surroundings);
}

/** Creates the project of the quickstart, installs these packages, and checks the types of the program. */
async function installNode(
  folder: string,
  surroundings: Surroundings,
  names: string[],
  adapt = (program: string) => program,
): Promise<void> {
  const { files, version } = surroundings;
  mkdirSync(folder, { recursive: true });
  writeProject(folder, basename(folder), "nodejs");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  copyFileSync(example("quickstart", "tsconfig.json"), join(folder, "tsconfig.json"));
  const program = readFileSync(example("quickstart", "index.ts"), "utf8");
  writeFileSync(join(folder, "index.ts"), adapt(program));
  const tarballs = names.map((name) => join(files, `${name}-${version}.tgz`));
  const flags = ["--prefer-offline", "--no-audit", "--no-fund"];
  await succeed(["npm", "install", ...flags, ...tarballs, ...nodePackages], folder, surroundings);
  await succeed([join(folder, "node_modules", ".bin", "tsc"), "--noEmit"], folder, surroundings);
}

function nodeCommand(
  command: EngineCommand,
  _: string,
  { pulumi: engine }: Surroundings,
): [string, ...string[]] {
  return [
    engine,
    command,
    ...(command === "preview" ? [] : ["--yes", "--skip-preview"]),
    "--non-interactive",
  ];
}

function writeProject(folder: string, name: string, runtime: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "Pulumi.yaml"), `name: ${name}\nruntime: ${runtime}\n`);
}

function pythonIn(folder: string): string {
  return join(folder, ".venv", "bin", "python");
}
