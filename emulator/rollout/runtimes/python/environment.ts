import { delimiter, join } from "node:path";
import { isForPython, pick } from "../../../process/allowed-environment";
import { machineEnvironment } from "../../build/environment";
import type { Project } from "../runtime";

/** Returns the folder of a revision's virtual environment. */
export const environmentFolder = ({ revisionFolder }: Pick<Project, "revisionFolder">): string =>
  join(revisionFolder, "python");

export const pythonIn = (folder: string): string => join(folder, "bin", "python");

/** Returns the variables that make programs use a virtual environment. */
export function activated(folder: string): Record<string, string> {
  const path = machineEnvironment()["PATH"] ?? "";
  return { VIRTUAL_ENV: folder, PATH: [join(folder, "bin"), path].filter(Boolean).join(delimiter) };
}

/**
 * Returns the environment for package installation, with the user's own access to packages: the pip and uv settings.
 */
export function installationEnvironment(own: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return { ...machineEnvironment(own), ...pick(own, isForPython) };
}
