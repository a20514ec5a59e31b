import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isAlive, withLock } from "./lock.cjs";

const unfinishedPrefix = ".unfinished-";

/** How a folder is filled, and when it is whole. */
export interface Filling {
  /** Fills a temporary folder, which is moved to its place afterwards. */
  make: (folder: string) => Promise<void>;
  isComplete: (folder: string) => boolean;
  /** What stands in it, for messages: "engine". */
  what: string;
}

/**
 * Fills the folder `name` in a cache. The folder appears under its name only when it is complete; another process that
 * is filling one is waited for.
 */
export async function fillFolder(
  cache: string,
  name: string,
  { make, isComplete, what }: Filling,
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
        if (!isComplete(folder)) throw new Error(`the new ${what} is incomplete`);
        rmSync(target, { recursive: true, force: true });
        renameSync(folder, target);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    options,
  );
}

/** The names of what is in a cache. */
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
