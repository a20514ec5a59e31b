import { isAbsolute, relative, resolve, sep } from "node:path";
import * as pulumi from "@pulumi/pulumi";

/**
 * Returns the project's folder. Does not use the placeholder `rootDirectory` that Pulumi returns with the Automation
 * API, because it is not a path.
 */
export function projectFolder(): string {
  const folder = pulumi.getRootDirectory();
  return isAbsolute(folder) ? folder : process.cwd();
}

/** Converts a path relative to the project's folder to one relative to the working directory of this process. */
export function toWorkingPath(path: pulumi.Input<string>): pulumi.Input<string> {
  return typeof path === "string" ? workingPath(path) : pulumi.output(path).apply(workingPath);
}

export function workingPath(path: string): string {
  const [here, project] = [process.cwd(), projectFolder()];
  if (here === project || isAbsolute(path) || path === "") return path;
  return relative(here, resolve(project, path)).replaceAll(sep, "/") || ".";
}
