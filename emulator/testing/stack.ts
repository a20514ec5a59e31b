import { existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type * as Automation from "@pulumi/pulumi/automation";
import type * as Runtime from "@pulumi/pulumi/runtime";
import type { EngineCommands } from "./engine-commands";

/** Options of a stack. */
export interface StackOptions {
  /**
   * Name of the stack.
   * @default "test"
   */
  name?: string;
  /**
   * Name of the project.
   * @default "test"
   */
  project?: string;
  /** Configuration by key, such as `commit` or `agentserver:adopt`. Keys without a namespace belong to the project. */
  config?: Record<string, string>;
  /** Environment variables for the engine and the providers, in addition to those of this process. */
  environment?: Record<string, string>;
  /**
   * Folder from which the provider is resolved. Its `node_modules` folder contains the temporary files.
   * @default the working folder of this process
   */
  folder?: string;
}

/** Connection settings of a control plane. */
interface Connection {
  baseUrl: string;
  apiKey: string;
  tenantId: string;
  dialect: "interface" | "langsmith";
}

/** Passphrase of the temporary stacks. It does not need to be secret, because the stacks are deleted. */
const passphrase = "agentserver-testing";

/**
 * Creates the folder for stacks. It is inside `node_modules`, so that the process of the provider finds the same
 * packages as the tests.
 */
export function createWorkFolder(folder = process.cwd()): string {
  const parent = join(resolve(folder), "node_modules", ".cache", "agentserver-testing");
  mkdirSync(parent, { recursive: true });
  return realpathSync(mkdtempSync(join(parent, "run-")));
}

/** Connection to the control plane of a stack, and the engine commands that the stack runs. */
export interface StackContext {
  connection: Connection;
  commands: EngineCommands;
}

/** Creates a stack for a program that runs in this process, with a backend in `workFolder`. */
export async function createStack(
  program: Automation.PulumiFn,
  workFolder: string,
  { connection, commands }: StackContext,
  { name = "test", project = "test", config = {}, environment = {}, folder }: StackOptions,
): Promise<Automation.Stack> {
  const { LocalWorkspace, PulumiCommand } = loadAutomation();
  const workDir = mkdtempSync(join(workFolder, "stack-"));
  const [backend, pulumiHome] = [join(workFolder, "backend"), join(workFolder, "home")];
  for (const one of [backend, pulumiHome]) mkdirSync(one, { recursive: true });
  linkPlugins(pulumiHome);
  const stack = await LocalWorkspace.createStack(
    { stackName: name, projectName: project, program: withoutUnhandledRejections(program) },
    {
      workDir,
      pulumiHome,
      pulumiCommand: commands.including(await PulumiCommand.get()),
      // Relative paths of the program refer to this folder.
      projectSettings: { name: project, runtime: "nodejs", main: resolve(folder ?? process.cwd()) },
      envVars: {
        ...settingsToRemove(),
        PULUMI_BACKEND_URL: `file://${backend}`,
        PULUMI_CONFIG_PASSPHRASE: passphrase,
        PULUMI_SKIP_UPDATE_CHECK: "true",
        ...environment,
      },
    },
  );
  // Functions of the provider run in this process, whose environment should not change.
  const { baseUrl, apiKey, tenantId, dialect } = connection;
  await stack.setAllConfig({
    "agentserver:baseUrl": { value: baseUrl },
    "agentserver:apiKey": { value: apiKey, secret: true },
    "agentserver:tenantId": { value: tenantId },
    "agentserver:dialect": { value: dialect },
    ...(process.env["AGENTSERVER_OFFLINE"] && { "agentserver:offline": { value: "false" } }),
    ...Object.fromEntries(Object.entries(config).map(([key, value]) => [key, { value }])),
  });
  return stack;
}

/** Returns empty values for the user's settings, because these settings may refer to another control plane. */
function settingsToRemove(): Record<string, string> {
  const names = Object.keys(process.env).filter((name) => name.startsWith("AGENTSERVER_"));
  return Object.fromEntries(names.map((name) => [name, ""]));
}

/** Lets the engine use the plugins that the user has installed, but not the user's logins. */
function linkPlugins(pulumiHome: string): void {
  const userHome = process.env["PULUMI_HOME"] || join(homedir(), ".pulumi");
  for (const name of ["plugins", "bin"]) {
    const folder = resolve(userHome, name);
    if (existsSync(folder)) symlinkSync(folder, join(pulumiHome, name), "junction");
  }
}

/** Properties of an output that the types of the SDK omit. */
interface OutputDetails {
  isKnown: Promise<boolean>;
  isSecret: Promise<boolean>;
}

/**
 * Returns a program that fails in the same way, but without unhandled rejections, because they would make a test runner
 * report that the test failed.
 */
function withoutUnhandledRejections(program: Automation.PulumiFn): Automation.PulumiFn {
  return async () => {
    try {
      return await program();
    } catch (error) {
      // The SDK only waits for the values of the stack's outputs.
      const outputs = loadRuntime().getStackResource()?.outputs as Partial<OutputDetails> | undefined;
      for (const detail of [outputs?.isKnown, outputs?.isSecret]) detail?.catch(() => undefined);
      throw error;
    }
  };
}

function loadRuntime(): typeof Runtime {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- As below.
  return require("@pulumi/pulumi/runtime") as typeof Runtime;
}

function loadAutomation(): typeof Automation {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- An optional peer dependency of the package.
    return require("@pulumi/pulumi/automation") as typeof Automation;
  } catch (error) {
    if ((error as { code?: string }).code !== "MODULE_NOT_FOUND") throw error;
    throw new Error("Stacks need @pulumi/pulumi. Install it with `npm install --save-dev @pulumi/pulumi`.");
  }
}
