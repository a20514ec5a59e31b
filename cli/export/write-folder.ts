import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentServerError } from "../../provider/errors";
import type { ExportedFile } from "./model";

/** True if the folder exists and is not empty. @throws AgentServerError if the path is not a folder */
export function isNonEmptyFolder(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return false;
  if (!stats.isDirectory()) throw new AgentServerError("bad_configuration", `${folder} is not a folder.`);
  return readdirSync(folder).length > 0;
}

/**
 * Writes the files into a folder, which is created if necessary. Each file is either written completely or unchanged,
 * and none is replaced until all have been written. Other files are not changed.
 */
export function writeFolder(folder: string, files: readonly ExportedFile[]): void {
  mkdirSync(folder, { recursive: true });
  const drafts = mkdtempSync(join(folder, ".export-"));
  try {
    for (const { name, text } of files) writeFileSync(join(drafts, name), text);
    for (const { name } of files) renameSync(join(drafts, name), join(folder, name));
  } finally {
    rmSync(drafts, { recursive: true, force: true });
  }
}
