import { readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Fault } from "./fault";
import { longestFile, type ManifestFile } from "./located-document";

/** The files with manifests that a folder holds, and what cannot be read of it. */
export interface FolderContent {
  files: ManifestFile[];
  faults: Fault[];
}

/**
 * Reads the `.yaml` and `.yml` files in a folder and the folders below it, in the order of their paths. What begins
 * with a dot is left out.
 *
 * @param root folder that paths are shown from
 * @param leaveOut folders below it that hold something else
 */
export function readFolder(folder: string, root: string, leaveOut: readonly string[] = []): FolderContent {
  const content: FolderContent = { files: [], faults: [] };
  const read = (path: string, above: readonly string[]): void => {
    const shown = relative(root, path).split(sep).join("/");
    try {
      const stats = statSync(path);
      if (stats.isDirectory()) readBelow(path, above);
      else if (/\.ya?ml$/i.test(path)) content.files.push({ path: shown, text: textOf(path, stats) });
    } catch (error) {
      content.faults.push({ file: shown, line: 1, column: 1, message: reasonOf(error) });
    }
  };
  const readBelow = (path: string, above: readonly string[]): void => {
    const real = realpathSync(path);
    // A link that leads back to a folder above it has no end.
    if (above.includes(real)) return;
    for (const name of readdirSync(path).sort())
      if (!name.startsWith(".") && !leaveOut.includes(join(path, name)))
        read(join(path, name), [...above, real]);
  };
  readBelow(folder, []);
  return content;
}

function textOf(path: string, stats: Stats): string {
  if (!stats.isFile()) throw new Error("is not a file");
  if (stats.size > longestFile) throw new Error("the file is longer than 1 MiB");
  return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "the file is not UTF-8 text";
  return code ? `cannot be read (${code})` : message;
}
