import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type * as Automation from "@pulumi/pulumi/automation";

/** Options of a stack. */
export interface StackOptions {
  /** @default "test" */
  name?: string;
  /** @default "test" */
  project?: string;
  /** Configuration by key, such as `commit` or `agentserver:adopt`. A key without a namespace belongs to the project. */
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
}

/** Passphrase of the temporary stacks. It protects nothing, because they are deleted. */
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

/** Creates a stack for a program that runs in this process, with a backend in `workFolder`. */
export async function createStack(
  program: Automation.PulumiFn,
  workFolder: string,
  connection: Connection,
  { name = "test", project = "test", config = {}, environment = {} }: StackOptions,
): Promise<Automation.Stack> {
  const { LocalWorkspace } = loadAutomation();
  const workDir = mkdtempSync(join(workFolder, "stack-"));
  const [backend, pulumiHome] = [join(workFolder, "backend"), join(workFolder, "home")];
  for (const one of [backend, pulumiHome]) mkdirSync(one, { recursive: true });
  const stack = await LocalWorkspace.createStack(
    { stackName: name, projectName: project, program },
    {
      workDir,
      pulumiHome,
      envVars: {
        PULUMI_BACKEND_URL: `file://${backend}`,
        PULUMI_CONFIG_PASSPHRASE: passphrase,
        PULUMI_SKIP_UPDATE_CHECK: "true",
        ...environment,
      },
    },
  );
  // Functions of the provider run in this process, whose environment should not change.
  await stack.setAllConfig({
    "agentserver:baseUrl": { value: connection.baseUrl },
    "agentserver:apiKey": { value: connection.apiKey, secret: true },
    "agentserver:tenantId": { value: connection.tenantId },
    ...Object.fromEntries(Object.entries(config).map(([key, value]) => [key, { value }])),
  });
  return stack;
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
