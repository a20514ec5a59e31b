import { type RunRequest, RunResponse } from "@pulumi/pulumi/proto/language_pb";
import type { Children, ProcessResult } from "./child-process";
import { findSdkScript } from "./module-lookup";
import { optionVariables, parseNodeOptions } from "./options";

/** Exit code of the SDK's runner after it has reported an error to the user. */
const alreadyReported = 32;

/** The host's connection to the engine, and the host's child processes. */
export interface HostContext {
  engineAddress: string;
  /** Tracing endpoint that is passed on to programs. */
  tracing?: string;
  children: Children;
}

/** Runs a Pulumi program. Errors of the program are returned in the response, never thrown. */
export async function runProgram(
  request: RunRequest,
  { engineAddress, tracing, children }: HostContext,
  signal: AbortSignal,
): Promise<RunResponse> {
  const response = new RunResponse();
  try {
    const options = parseNodeOptions(request.getInfo()?.getOptions()?.toJavaScript() ?? {});
    const result = await children.run(
      [...options.nodeArguments, ...runnerArguments(request, engineAddress, tracing)],
      {
        env: { ...process.env, ...configurationVariables(request), ...optionVariables(options) },
        stdout: process.stdout,
        stderr: process.stderr,
      },
      signal,
    );
    if (result.code === alreadyReported) response.setBail(true);
    else response.setError(describeFailure(result));
  } catch (error) {
    response.setError(error instanceof Error ? error.message : String(error));
  }
  return response;
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
 * Returns the environment variables from which the SDK reads the stack's configuration, with the older
 * `<namespace>:config:<name>` keys.
 */
function configurationVariables(request: RunRequest): Record<string, string> {
  const configuration: Record<string, string> = {};
  request.getConfigMap().forEach((value, key) => {
    const colon = key.indexOf(":");
    configuration[`${key.slice(0, colon)}:config:${key.slice(colon + 1)}`] = value;
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
