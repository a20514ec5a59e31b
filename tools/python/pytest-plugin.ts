import { copyFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../repository";

/** Sources of the plugin for pytest. */
export const pytestPluginFolder = join(repositoryRoot, "emulator", "testing", "python");

/** Copies the sources of the plugin for pytest, with the license, to a folder in which its package can be built. */
export function copyPytestPlugin(folder: string): void {
  cpSync(pytestPluginFolder, folder, {
    recursive: true,
    filter: (path) => !/__pycache__|\.egg-info$|[\\/]\.?(build|mypy_cache|pytest_cache)$/.test(path),
  });
  copyFileSync(join(repositoryRoot, "LICENSE"), join(folder, "LICENSE"));
}
