import { watch } from "node:fs";
import { basename } from "node:path";
import { isInside } from "../../provider/local-source/files";
import { isExcludedName } from "../../provider/local-source/source-files";

/**
 * Watches one folder, but not its subfolders. Calls the function with the name of a changed entry, or with `undefined`
 * if the system does not report the name. Returns a function that stops watching.
 */
export type WatchFolder = (folder: string, onChange: (name: string | undefined) => void) => () => void;

/** Watches a folder with the file system's own notifications. */
export const watchFolder: WatchFolder = (folder, onChange) => {
  const watcher = watch(folder, (_, name) => onChange(name ?? undefined));
  // For example, the folder was deleted. In that case, the watcher of its parent folder also reports the change.
  watcher.on("error", () => onChange(undefined));
  return () => watcher.close();
};

/** A folder that is watched. */
interface Watched {
  close: () => void;
  /** True if the path may now refer to a different folder. The system reports only changes to the original folder. */
  isReplaced: boolean;
}

/**
 * Watches a set of folders. Each folder is watched separately, so that ignored folders, such as `node_modules`, are not
 * watched.
 */
export class FolderWatcher {
  private readonly watched = new Map<string, Watched>();

  /** @param onChange called after each change to an entry in a watched folder */
  constructor(
    private readonly onChange: () => void,
    private readonly watchOne: WatchFolder = watchFolder,
  ) {}

  /**
   * Watches these folders instead of the previous ones. Returns true if a folder was not watched before, because
   * changes in it may have been missed.
   */
  watch(folders: readonly string[]): boolean {
    const wanted = new Set(folders);
    for (const [folder, { close, isReplaced }] of this.watched)
      if (!wanted.has(folder) || isReplaced) {
        close();
        this.watched.delete(folder);
      }
    const added = [...wanted].filter((folder) => !this.watched.has(folder));
    return added.map((folder) => this.add(folder)).some(Boolean);
  }

  close(): void {
    this.watch([]);
  }

  private add(folder: string): boolean {
    const onChange = (name: string | undefined) => {
      // If the folder itself is deleted or renamed, the system reports the folder's own name.
      if (name === undefined || name === basename(folder)) this.markReplaced(folder);
      if (name === undefined || !isExcludedName(name)) this.onChange();
    };
    try {
      this.watched.set(folder, { close: this.watchOne(folder, onChange), isReplaced: false });
      return true;
    } catch (error) {
      // If the folder was deleted in the meantime, the watcher of its parent folder reports it.
      if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
      throw error;
    }
  }

  private markReplaced(folder: string): void {
    for (const [one, state] of this.watched) if (isInside(one, folder)) state.isReplaced = true;
  }
}
