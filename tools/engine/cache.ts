import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../cache-folder";
import { isAlive, withLock } from "../lock.cjs";
import { buildRecipe, moduleFolder } from "./build";
import { companions, isExecutable } from "./path";
import { engineVersion } from "./version";

const unfinishedPrefix = ".unfinished-";

/** Where engines are kept. */
export function engineCacheFolder(env: NodeJS.ProcessEnv): string {
  return join(cacheFolder(env), "engine");
}

/** The name of everything built by the same recipe from the same modules. */
export function builtName(): string {
  const hash = createHash("sha256");
  for (const file of ["go.mod", "go.sum"]) hash.update(readFileSync(join(moduleFolder, file)));
  hash.update(JSON.stringify(buildRecipe));
  return `${platformName()}-${hash.digest("hex").slice(0, 12)}`;
}

/** The name of the downloaded engine, which has its own language host. */
export function officialName(): string {
  return `${platformName()}-official`;
}

/** Whether a cache folder holds a whole engine: `pulumi` and its companions, all executable. */
export function isComplete(folder: string): boolean {
  return ["pulumi", ...companions].every((name) => isExecutable(join(folder, "bin", name)));
}

/** A `pulumi` that the same recipe has built for another version of the language host. */
export function findBuilt(cache: string, prefix: string): string | undefined {
  return foldersOf(cache)
    .filter((name) => name.startsWith(`${prefix}-`))
    .map((name) => join(cache, name, "bin", "pulumi"))
    .find(isExecutable);
}

/**
 * Fills the cache folder `name` by `make`, which gets a temporary folder beside it. The folder appears under its name
 * only when it is complete; another process that is filling it is waited for.
 */
export async function fillCache(
  cache: string,
  name: string,
  make: (folder: string) => Promise<void>,
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
        if (!isComplete(folder)) throw new Error("the new engine is incomplete");
        rmSync(target, { recursive: true, force: true });
        renameSync(folder, target);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    options,
  );
}

function removeUnfinished(cache: string): void {
  for (const name of foldersOf(cache)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    const owner = Number.parseInt(name.slice(unfinishedPrefix.length), 10);
    if (!isAlive(owner)) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function foldersOf(cache: string): string[] {
  return existsSync(cache) ? readdirSync(cache) : [];
}

function platformName(): string {
  return `${engineVersion}-${process.platform}-${process.arch}`;
}
