import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * The path of a script of the SDK that the program itself uses. Throws what the user is to do if there is none:
 * `installCommand` is that advice.
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
