import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * Returns the path of a script in the SDK that the program uses. If the script is missing, throws an error that
 * suggests `installCommand`.
 */
export function findSdkScript(script: string, programFolder: string, installCommand: string): string {
  try {
    return createRequire(join(programFolder, "index.js")).resolve(`@pulumi/pulumi/cmd/${script}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new Error(`It looks like the Pulumi SDK has not been installed. Have you run ${installCommand}?`, {
      cause: error,
    });
  }
}
