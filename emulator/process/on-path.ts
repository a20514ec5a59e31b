import { accessSync, constants } from "node:fs";
import { delimiter, resolve } from "node:path";

/** Returns the absolute paths of all programs with this name, in `PATH` order. */
export function onPath(program: string, path = process.env["PATH"] ?? ""): string[] {
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => resolve(folder, program))
    .filter((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
