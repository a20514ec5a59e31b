import { lstatSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Fault } from "./fault";
import { longestFile, type ManifestFile } from "./located-document";

/** The manifest files in a folder, and faults for entries that cannot be read. */
export interface FolderContent {
  files: ManifestFile[];
  faults: Fault[];
}

/**
 * Reads the `.yaml` and `.yml` files in a folder and its subfolders, sorted by path. Skips entries with names that
 * start with a dot. Rejects links, because they may point to any file on this machine.
 *
 * @param root folder that displayed paths are relative to
 * @param leaveOut subfolders with other contents
 */
export function readFolder(folder: string, root: string, leaveOut: readonly string[] = []): FolderContent {
  const content: FolderContent = { files: [], faults: [] };
  const read = (path: string): void => {
    const shown = relative(root, path).split(sep).join("/");
    try {
      const stats = lstatSync(path);
      if (stats.isSymbolicLink()) {
        if (mayDeclare(path))
          throw new Error("is a link, which is not followed; replace it with the file or folder itself");
      } else if (stats.isDirectory()) readBelow(path);
      else if (isManifest(path)) content.files.push({ path: shown, text: textOf(path, stats) });
    } catch (error) {
      content.faults.push({ file: shown, line: 1, column: 1, message: reasonOf(error) });
    }
  };
  const readBelow = (path: string): void => {
    for (const name of readdirSync(path).sort())
      if (!name.startsWith(".") && !leaveOut.includes(join(path, name))) read(join(path, name));
  };
  readBelow(folder);
  return content;
}

function isManifest(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}

/** True if a link refers to a manifest or a folder. */
function mayDeclare(link: string): boolean {
  return isManifest(link) || (statSync(link, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

function textOf(path: string, stats: Stats): string {
  if (!stats.isFile()) throw new Error("is not a file");
  if (stats.size > longestFile) throw new Error("the file is larger than 1 MiB");
  return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "the file is not UTF-8 text";
  return code ? `cannot be read (${code})` : message;
}
