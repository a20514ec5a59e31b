import { statfs } from "node:fs/promises";

/** With less than this, nothing of use can be written. */
const littleBytes = 1024 * 1024;

/** A sentence about the disk of a folder, where it is full; for failures of programs that do not say so themselves. */
export async function fullDiskHint(folder: string): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= littleBytes) return "";
    return ` The disk of ${folder} is full: free some space and try again.`;
  } catch {
    return "";
  }
}
