import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const packageName = "agentserver-emulator";

/** Returns the root folder of this package, whether the code runs from source or from `dist`. */
export function packageFolder(): string {
  for (let folder = __dirname; ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && nameIn(manifest) === packageName) return folder;
    if (dirname(folder) === folder) {
      throw new Error(
        `The folder of ${packageName} was not found above ${__dirname}. Install the package again.`,
      );
    }
  }
}

/**
 * Returns the path of a script that is shipped unchanged next to the compiled code; `path` is relative to the package.
 */
export function shippedScript(path: string): string {
  return join(packageFolder(), path);
}

function nameIn(manifest: string): unknown {
  return (JSON.parse(readFileSync(manifest, "utf8")) as { name?: unknown }).name;
}
