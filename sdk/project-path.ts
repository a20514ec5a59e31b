import { isAbsolute, relative, resolve, sep } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { projectFolder } from "./project-folder";

/** A path that counts from the project's folder, as one from where this process and the provider's run. */
export function fromProject(folder: pulumi.Input<string>): pulumi.Input<string> {
  return typeof folder === "string" ? fromHere(folder) : pulumi.output(folder).apply(fromHere);
}

function fromHere(folder: string): string {
  const [here, project] = [process.cwd(), projectFolder()];
  if (here === project || isAbsolute(folder) || folder === "") return folder;
  return relative(here, resolve(project, folder)).replaceAll(sep, "/") || ".";
}
