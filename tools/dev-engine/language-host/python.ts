import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { RunRequest } from "@pulumi/pulumi/proto/language_pb";

/** Name of the script that runs Python programs. It is in the same folder as the language host. */
export const pythonRunner = "run_python_program.py";

/**
 * Returns the command that runs a Python program, with the interpreter of the virtual environment that the project file
 * specifies, or the `python3` on the PATH.
 */
export function pythonCommand(request: RunRequest, engineAddress: string): [string, ...string[]] {
  const info = request.getInfo();
  if (!info) throw new Error("the engine did not specify the program to run");
  const { virtualenv } = info.getOptions()?.toJavaScript() ?? {};
  const settings = {
    monitor: request.getMonitorAddress(),
    engine: engineAddress,
    project: request.getProject(),
    stack: request.getStack(),
    parallel: request.getParallel(),
    dry_run: request.getDryrun(),
    organization: request.getOrganization(),
    root_directory: info.getRootDirectory(),
  };
  return [
    interpreterOf(info.getRootDirectory(), virtualenv),
    "-u",
    join(__dirname, pythonRunner),
    JSON.stringify(settings),
    resolve(info.getProgramDirectory(), info.getEntryPoint()),
    ...request.getArgsList(),
  ];
}

function interpreterOf(rootFolder: string, virtualenv: unknown): string {
  if (typeof virtualenv !== "string") return "python3";
  const python = resolve(rootFolder, virtualenv, "bin", "python");
  if (existsSync(python)) return python;
  throw new Error(
    `The virtual environment ${virtualenv} does not exist. Run \`python3 -m venv ${virtualenv}\` and install the requirements of the program into it`,
  );
}
