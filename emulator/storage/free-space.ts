import { statfs } from "node:fs/promises";

/** Amount of free space in bytes below which no useful write is possible. */
const littleBytes = 1024 * 1024;

/**
 * Returns a message about the disk of a folder if the disk is full. Some programs do not report a full disk as the
 * cause of a failure.
 */
export async function fullDiskHint(folder: string): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= littleBytes) return "";
    return ` The disk of ${folder} is full: free some space and try again.`;
  } catch {
    return "";
  }
}
