import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const stampName = ".agentserver-build";

/** Returns the hash of the sources that a folder was built from; `undefined` if the folder does not exist. */
export function stampOf(folder: string): string | undefined {
  const stamp = join(folder, stampName);
  return existsSync(stamp) ? readFileSync(stamp, "utf8") : undefined;
}

/**
 * Builds a folder. Its previous content is replaced only after the new content is complete, so that an interrupted or
 * failed build is repeated.
 * @param hash hash of the sources
 * @param parent existing folder for incomplete content, on the same file system
 * @param make writes the content to a folder
 */
export async function buildFolder(
  output: string,
  hash: string,
  parent: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const fresh = mkdtempSync(join(parent, "build-"));
  try {
    await make(fresh);
    writeFileSync(join(fresh, stampName), hash);
    const last = `${fresh}-last`;
    if (existsSync(output)) renameSync(output, last);
    renameSync(fresh, output);
    rmSync(last, { recursive: true, force: true });
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
