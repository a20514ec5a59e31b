import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentServerError } from "../../provider/errors";
import type { ExportedFile } from "./exported-file";

/** Whether there is anything in a folder. @throws AgentServerError when it is something else than a folder */
export function holdsSomething(folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return false;
  if (!stats.isDirectory()) throw new AgentServerError("bad_configuration", `${folder} is not a folder.`);
  return readdirSync(folder).length > 0;
}

/**
 * Writes the files into a folder, which is made if it is not there. Each file is there as a whole or as it was; none
 * is replaced before all of them could be written. Other files stay.
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
