import { isAbsolute, relative, resolve, sep } from "node:path";
import * as pulumi from "@pulumi/pulumi";

/**
 * Returns the project's folder. With the Automation API, Pulumi may return a placeholder that is not a path; in that
 * case, returns the working directory.
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
