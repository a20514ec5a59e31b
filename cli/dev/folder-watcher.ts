import { watch } from "node:fs";
import { isExcludedName } from "../../provider/local-source/source-files";

/**
 * Watches one folder without its subfolders. Calls the function with the name of a changed entry, or with `undefined`
 * if the system does not report the name. Returns a function that stops watching.
 */
export type WatchFolder = (folder: string, onChange: (name: string | undefined) => void) => () => void;

/** Watches a folder with the file system's own notifications. */
export const watchFolder: WatchFolder = (folder, onChange) => {
  const watcher = watch(folder, (_, name) => onChange(name ?? undefined));
  // For example, because the folder was deleted. Its parent folder reports that, too.
  watcher.on("error", () => onChange(undefined));
  return () => watcher.close();
};

/**
 * Watches a set of folders. Each folder is watched separately, so that ignored folders, such as `node_modules`, are not
 * watched.
 */
export class FolderWatcher {
  private readonly watched = new Map<string, () => void>();

  /** @param onChange called after each change to an entry in a watched folder */
  constructor(
    private readonly onChange: () => void,
    private readonly watchOne: WatchFolder = watchFolder,
  ) {}

  /** Watches these folders instead of the previous ones. Returns true if some of them were not watched before. */
  watch(folders: readonly string[]): boolean {
    const wanted = new Set(folders);
    for (const [folder, close] of this.watched)
      if (!wanted.has(folder)) {
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
      if (name === undefined || !isExcludedName(name)) this.onChange();
    };
    try {
      this.watched.set(folder, this.watchOne(folder, onChange));
      return true;
    } catch (error) {
      // Deleted meanwhile, which its parent folder reports.
      if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
      throw error;
    }
  }
}
