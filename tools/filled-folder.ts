import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isAlive, withLock } from "./lock.cjs";

const unfinishedPrefix = ".unfinished-";

/** Content of a cache folder. */
export interface FolderContent {
  /** Fills a temporary folder, which is then moved to its final path. */
  make: (folder: string) => Promise<void>;
  isComplete: (folder: string) => boolean;
  /** Name of the content in messages, for example "engine". */
  contentName: string;
}

/**
 * Creates the folder `name` in a cache. The folder becomes visible under this name only when it is complete. If another
 * process is creating a folder, waits for that process.
 */
export async function fillFolder(
  cache: string,
  name: string,
  { make, isComplete, contentName }: FolderContent,
  options: { signal?: AbortSignal; onWait?: (owner: number) => void } = {},
): Promise<void> {
  const target = join(cache, name);
  mkdirSync(cache, { recursive: true });
  await withLock(
    join(cache, ".lock"),
    async () => {
      if (isComplete(target)) return;
      removeUnfinished(cache);
      const folder = mkdtempSync(join(cache, `${unfinishedPrefix}${process.pid}-`));
      try {
        await make(folder);
        if (!isComplete(folder)) throw new Error(`the new ${contentName} is incomplete`);
        rmSync(target, { recursive: true, force: true });
        renameSync(folder, target);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    options,
  );
}

/** Returns the names of the folders in a cache. */
export function foldersOf(cache: string): string[] {
  return existsSync(cache) ? readdirSync(cache) : [];
}

function removeUnfinished(cache: string): void {
  for (const name of foldersOf(cache)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    const owner = Number.parseInt(name.slice(unfinishedPrefix.length), 10);
    if (!isAlive(owner)) rmSync(join(cache, name), { recursive: true, force: true });
  }
}
