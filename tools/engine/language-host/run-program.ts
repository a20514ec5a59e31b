import { type RunRequest, RunResponse } from "@pulumi/pulumi/proto/language_pb";
import type { Children, Ending } from "./child-process";
import { findSdkScript } from "./module-lookup";
import { optionVariables, parseNodeOptions } from "./options";

/** The SDK's runner exits with this code when it has already shown the user what is wrong. */
const alreadyReported = 32;

/** Where the host sits: between the engine and its children. */
export interface Surroundings {
  engineAddress: string;
  /** A tracing endpoint to pass on. */
  tracing?: string;
  children: Children;
}

/** Runs a Pulumi program to its end. What the program does wrong is in the response, never thrown. */
export async function runProgram(
  request: RunRequest,
  { engineAddress, tracing, children }: Surroundings,
  signal: AbortSignal,
): Promise<RunResponse> {
  const response = new RunResponse();
  try {
    const options = parseNodeOptions(request.getInfo()?.getOptions()?.toJavaScript() ?? {});
    const ending = await children.run(
      [...options.nodeArguments, ...runnerArguments(request, engineAddress, tracing)],
      {
        env: { ...process.env, ...configurationVariables(request), ...optionVariables(options) },
        stdout: process.stdout,
        stderr: process.stderr,
      },
      signal,
    );
    if (ending.code === alreadyReported) response.setBail(true);
    else response.setError(complaint(ending));
  } catch (error) {
    response.setError(error instanceof Error ? error.message : String(error));
  }
  return response;
}

function runnerArguments(request: RunRequest, engineAddress: string, tracing: string | undefined): string[] {
  const info = request.getInfo();
  if (!info) throw new Error("the engine did not say which program to run");
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

/** The SDK reads the stack's configuration from here, under its older `<namespace>:config:<name>` keys. */
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

function complaint({ code, signal }: Ending): string {
  if (signal) return `Program was ended by signal ${signal}`;
  return code === 0 ? "" : `Program exited with non-zero exit code: ${code}`;
}
