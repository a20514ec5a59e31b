import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** Maximum number of installations of one kind to keep. The least recently used ones are removed. */
const most = 8;

/** File that identifies a complete installation. It is written last, so its time is the time of the installation. */
const markerName = "installation";
const contentName = "content";
const [unfinishedPrefix, removedPrefix] = ["unfinished-", "removed-"];

/**
 * Copies of installed packages, keyed by everything that determines their content. They are kept across deployments,
 * and may be used by several processes at the same time.
 */
export class InstallationCache {
  /** @param name - Folder in `AGENTSERVER_CACHE` or, if it is not set, in a folder of the user's cache. */
  constructor(private readonly name: string) {}

  /**
   * Copies an installation to a new folder, if it is in the cache. Returns true if the copy is complete.
   *
   * @param copy - Copies from a folder. `keptAt` is the time at which the installation was added, in milliseconds.
   */
  async take(
    key: string,
    folder: string,
    copy: (from: string, keptAt: number) => Promise<void>,
  ): Promise<boolean> {
    const kept = join(this.home(), key);
    const marker = join(kept, markerName);
    try {
      const before = await readFile(marker, "utf8");
      await copy(join(kept, contentName), (await stat(marker)).mtimeMs);
      // Otherwise, the installation was removed or replaced during the copy, so the copy may be incomplete.
      if ((await readFile(marker, "utf8")) === before) {
        const now = new Date();
        await utimes(kept, now, now);
        return true;
      }
    } catch {
      // The installation does not exist, was removed in the meantime, or is damaged. The next installation replaces a
      // damaged one.
      await this.remove(key);
    }
    await rm(folder, { recursive: true, force: true });
    return false;
  }

  /**
   * Adds an installation. Ignores failures, for example if the disk is full or if another process was faster, because
   * they only make later installations slower.
   *
   * @param copy - Copies to a new folder.
   */
  async keep(key: string, copy: (to: string) => Promise<void>): Promise<void> {
    const unfinished = join(this.home(), `${unfinishedPrefix}${randomUUID()}`);
    try {
      await mkdir(unfinished, { recursive: true, mode: 0o700 });
      await copy(join(unfinished, contentName));
      await writeFile(join(unfinished, markerName), randomUUID());
      await rename(unfinished, join(this.home(), key));
      await this.removeOldest();
    } catch {
      await rm(unfinished, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  private home(env: NodeJS.ProcessEnv = process.env): string {
    const caches = env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
    return join(env["AGENTSERVER_CACHE"] || join(caches, "pulumi-agentserver"), this.name);
  }

  private async removeOldest(): Promise<void> {
    const names = await readdir(this.home());
    const used = await Promise.all(
      names.map(async (name) => ({
        name,
        // An installation whose removal was interrupted is the first one to be removed.
        at: name.startsWith(removedPrefix)
          ? 0
          : await stat(join(this.home(), name)).then(
              ({ mtimeMs }) => mtimeMs,
              () => 0,
            ),
      })),
    );
    used.sort((a, b) => b.at - a.at);
    for (const [index, { name, at }] of used.entries())
      if (index >= most || at === 0) await this.remove(name);
  }

  /** Removes a folder. It is renamed first, so that copies of it that are in progress fail. */
  private async remove(name: string): Promise<void> {
    const removed = join(this.home(), `${removedPrefix}${randomUUID()}`);
    try {
      await rename(join(this.home(), name), removed);
      await rm(removed, { recursive: true, force: true });
    } catch {
      // Another process has removed it, or will do so later.
    }
  }
}
