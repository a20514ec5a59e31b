import { isAbsolute } from "node:path";
import * as pulumi from "@pulumi/pulumi";

/**
 * The folder of the project. Inside the Automation API Pulumi knows none and names one that does not exist,
 * `rootDirectory`.
 */
export function projectFolder(): string {
  const named = pulumi.getRootDirectory();
  return isAbsolute(named) ? named : process.cwd();
}
