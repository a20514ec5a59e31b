import { isAbsolute, relative, resolve, sep } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { projectFolder } from "./project-folder";

/** Turns a path relative to the project's folder into one relative to the folder that this process and the provider run in. */
export function fromProject(folder: pulumi.Input<string>): pulumi.Input<string> {
  return typeof folder === "string" ? fromHere(folder) : pulumi.output(folder).apply(fromHere);
}

export function fromHere(folder: string): string {
  const [here, project] = [process.cwd(), projectFolder()];
  if (here === project || isAbsolute(folder) || folder === "") return folder;
  return relative(here, resolve(project, folder)).replaceAll(sep, "/") || ".";
}
