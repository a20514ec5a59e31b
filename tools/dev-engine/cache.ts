import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { cacheFolder } from "../cache-folder";
import { fillFolder, foldersOf } from "../filled-folder";
import { buildRecipe, moduleFolder } from "./build";
import { companions, isExecutable } from "./path";
import { engineVersion } from "./version";
import { replacementsFolder } from "./without-clouds";

/** Returns the cache folder for engines. */
export function engineCacheFolder(env: NodeJS.ProcessEnv): string {
  return join(cacheFolder(env), "engine");
}

/** Returns the name of the folder in the cache for engines that are built with this recipe and these modules. */
export function builtName(): string {
  const hash = createHash("sha256");
  for (const file of ["go.mod", "go.sum", "without-clouds.ts", ...replacements()])
    hash.update(readFileSync(join(moduleFolder, file)));
  hash.update(JSON.stringify(buildRecipe));
  return `${platformName()}-${hash.digest("hex").slice(0, 12)}`;
}

/** Returns the name of the folder in the cache for the downloaded engine, which has its own language host. */
export function officialName(): string {
  return `${platformName()}-official`;
}

/** True if a cache folder contains a complete engine: `pulumi` and its companions, all executable. */
export function isComplete(folder: string): boolean {
  return ["pulumi", ...companions].every((name) => isExecutable(join(folder, "bin", name)));
}

/** Finds a `pulumi` that was built with the same recipe but with another version of the language host. */
export function findBuilt(cache: string, prefix: string): string | undefined {
  return foldersOf(cache)
    .filter((name) => name.startsWith(`${prefix}-`))
    .map((name) => join(cache, name, "bin", "pulumi"))
    .find(isExecutable);
}

/** Creates a folder with an engine in the cache. `make` fills a temporary folder, which is then moved to `name`. */
export function fillCache(
  cache: string,
  name: string,
  make: (folder: string) => Promise<void>,
  options: { signal?: AbortSignal; onWait?: (owner: number) => void } = {},
): Promise<void> {
  return fillFolder(cache, name, { make, isComplete, contentName: "engine" }, options);
}

/** Returns the paths of the files that replace files of the engine's module. */
function replacements(): string[] {
  return readdirSync(replacementsFolder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".go"))
    .sort()
    .map((path) => relative(moduleFolder, join(replacementsFolder, path)));
}

function platformName(): string {
  return `${engineVersion}-${process.platform}-${process.arch}`;
}
