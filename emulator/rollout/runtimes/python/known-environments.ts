import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { copyEnvironment } from "./environment-copy";

/** Maximum number of environments that are kept; the least recently used ones are removed. */
const most = 8;

/**
 * Returns the folder for environments that outlive deployments: `AGENTSERVER_CACHE`, else a folder in the user's cache.
 */
function knownFolder(env: NodeJS.ProcessEnv = process.env): string {
  const caches = env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(env["AGENTSERVER_CACHE"] || join(caches, "pulumi-agentserver"), "python-environments");
}

/**
 * Copies an environment that was installed for the same packages, if there is one.
 *
 * @param moved - The current source, which replaces that of the installation.
 */
export async function takeKnown(key: string, folder: string, source: string): Promise<boolean> {
  const known = join(knownFolder(), key);
  if (!existsSync(known)) return false;
  try {
    await copyEnvironment(known, folder, { environment: folder, source });
    const now = new Date();
    await utimes(known, now, now);
    return true;
  } catch {
    // It may have just been removed, or be damaged: then it is installed.
    await rm(folder, { recursive: true, force: true });
    return false;
  }
}

/** Keeps a copy of an environment. If the disk is full, later installations only take longer. */
export async function keepKnown(key: string, folder: string, source: string): Promise<void> {
  const home = knownFolder();
  const unfinished = join(home, `unfinished-${randomUUID()}`);
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await copyEnvironment(folder, unfinished, { environment: folder, source });
    await rename(unfinished, join(home, key));
    await removeOldest(home);
  } catch {
    await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function removeOldest(home: string): Promise<void> {
  const used = await Promise.all(
    (await readdir(home)).map(async (name) => ({ name, at: (await stat(join(home, name))).mtimeMs })),
  );
  used.sort((a, b) => b.at - a.at);
  for (const { name } of used.slice(most)) await rm(join(home, name), { recursive: true, force: true });
}
