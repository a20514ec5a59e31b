import { type RunRequest, RunResponse } from "@pulumi/pulumi/proto/language_pb";
import { type Children, nodeCommand, type ProcessResult } from "./child-process";
import { findSdkScript } from "./module-lookup";
import { optionVariables, parseNodeOptions } from "./options";
import { pythonCommand } from "./python";

/** Exit code of the SDK's runner after it has reported an error to the user. */
const alreadyReported = 32;

/** The host's connection to the engine, and the host's child processes. */
export interface HostContext {
  /** Language of the programs. Policy packs and plugins always run in Node.js. */
  language: "nodejs" | "python";
  engineAddress: string;
  /** Tracing endpoint that is passed on to programs. */
  tracing?: string;
  children: Children;
}

/** Runs a Pulumi program. Errors of the program are returned in the response, never thrown. */
export async function runProgram(
  request: RunRequest,
  host: HostContext,
  signal: AbortSignal,
): Promise<RunResponse> {
  const response = new RunResponse();
  try {
    const { command, cwd, env } =
      host.language === "python" ? inPython(request, host) : inNode(request, host);
    const output = { stdout: process.stdout, stderr: process.stderr };
    const result = await host.children.run(
      command,
      { cwd, env: { ...process.env, ...env }, ...output },
      signal,
    );
    if (result.code === alreadyReported) response.setBail(true);
    else response.setError(describeFailure(result));
  } catch (error) {
    response.setError(error instanceof Error ? error.message : String(error));
  }
  return response;
}

/** Process that runs a program. */
interface ProgramProcess {
  command: [string, ...string[]];
  cwd?: string;
  env: Record<string, string>;
}

function inNode(request: RunRequest, { engineAddress, tracing }: HostContext): ProgramProcess {
  const options = parseNodeOptions(request.getInfo()?.getOptions()?.toJavaScript() ?? {});
  const runner = runnerArguments(request, engineAddress, tracing);
  return {
    command: nodeCommand([...options.nodeArguments, ...runner]),
    env: {
      ...configurationVariables(request, (namespace, name) => `${namespace}:config:${name}`),
      ...optionVariables(options),
    },
  };
}

function inPython(request: RunRequest, { engineAddress }: HostContext): ProgramProcess {
  return {
    command: pythonCommand(request, engineAddress),
    cwd: request.getInfo()?.getProgramDirectory(),
    env: configurationVariables(request, (namespace, name) => `${namespace}:${name}`),
  };
}

function runnerArguments(request: RunRequest, engineAddress: string, tracing: string | undefined): string[] {
  const info = request.getInfo();
  if (!info) throw new Error("the engine did not specify the program to run");
  const programFolder = info.getProgramDirectory();
  const flags: [name: string, value: string | undefined][] = [
    ["monitor", request.getMonitorAddress()],
    ["engine", engineAddress],
    ["organization", request.getOrganization()],
    ["project", request.getProject()],
    ["root-directory", info.getRootDirectory()],
    ["stack", request.getStack()],
    ["pwd", programFolder],
    ["parallel", String(request.getParallel())],
    ["tracing", tracing],
  ];
  return [
    findSdkScript("run", programFolder, "pulumi install"),
    ...flags.flatMap(([name, value]) => (value ? [`--${name}`, value] : [])),
    ...(request.getDryrun() ? ["--dry-run"] : []),
    info.getEntryPoint(),
    ...request.getArgsList(),
  ];
}

/**
 * Returns the environment variables from which the SDK reads the stack's configuration. The Node SDK expects the older
 * `<namespace>:config:<name>` keys.
 */
function configurationVariables(
  request: RunRequest,
  keyOf: (namespace: string, name: string) => string,
): Record<string, string> {
  const configuration: Record<string, string> = {};
  request.getConfigMap().forEach((value, key) => {
    const colon = key.indexOf(":");
    configuration[keyOf(key.slice(0, colon), key.slice(colon + 1))] = value;
  });
  return {
    PULUMI_CONFIG: JSON.stringify(configuration),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
  };
}

function describeFailure({ code, signal }: ProcessResult): string {
  if (signal) return `Program was terminated by signal ${signal}`;
  return code === 0 ? "" : `Program exited with non-zero exit code: ${code}`;
}
