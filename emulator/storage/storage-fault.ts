/** Problem with a state file: no free space, no write permission, unexpected contents, or a disk read error. */
export type StorageFaultKind = "full" | "read-only" | "damaged" | "failing";

/** Response status of a request that failed because of a storage fault. */
export type StorageFaultStatus = 500 | 503 | 507;

const statuses: Record<StorageFaultKind, StorageFaultStatus> = {
  full: 507,
  "read-only": 503,
  damaged: 500,
  failing: 500,
};

/**
 * Error for an unusable file of the state. The message contains the file's path and explains how to fix the problem.
 */
export class StorageFault extends Error {
  override readonly name = "StorageFault";

  constructor(
    readonly kind: StorageFaultKind,
    /** Path of the unusable file or folder. */
    readonly place: string,
    cause: Error,
  ) {
    super(sentences[kind](place, cause.message), { cause });
  }

  get status(): StorageFaultStatus {
    return statuses[this.kind];
  }
}

const sentences: Record<StorageFaultKind, (place: string, why: string) => string> = {
  full: (place, why) =>
    `${place} cannot be written: ${why}. Free some space on its disk, or raise the limit that was reached; ` +
    "a running control plane then continues automatically.",
  "read-only": (place, why) =>
    `${place} cannot be written: ${why}. Make it and its folder writable by the user of the control plane; ` +
    "a running control plane then continues automatically.",
  damaged: (place, why) =>
    `${place} is damaged: ${why}. Stop the control plane, then restore the file from a backup, or move it and the ` +
    "files whose names start with its name to another location to start without their contents.",
  failing: (place, why) => `${place} cannot be read: ${why}. Check the disk, then restart the control plane.`,
};

/** File system error codes that indicate a problem with the state. */
const systemFaults: Record<string, StorageFaultKind> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EFBIG: "full",
  EROFS: "read-only",
  EACCES: "read-only",
  EPERM: "read-only",
  EIO: "failing",
};

/** SQLite result codes. Codes below 256 include all of their extended codes. */
const databaseFaults: Record<number, StorageFaultKind> = {
  8: "read-only",
  10: "failing",
  11: "damaged",
  13: "full",
  26: "damaged",
  // Input/output errors during a write, for which SQLite does not report a cause.
  778: "full",
  1034: "full",
  1290: "full",
  1546: "full",
  4874: "full",
};

type SystemError = NodeJS.ErrnoException & { errcode?: number };

/**
 * Returns the storage fault for a file system error or a SQLite error, or `undefined` for any other error.
 *
 * @param place - File or folder in use, unless the error contains its path.
 */
export function storageFaultOf(error: unknown, place: string): StorageFault | undefined {
  if (error instanceof StorageFault) return error;
  if (typeof error !== "object" || error === null) return undefined;
  const { code, errcode, path } = error as SystemError;
  const kind =
    errcode === undefined
      ? systemFaults[code ?? ""]
      : (databaseFaults[errcode] ?? databaseFaults[errcode % 256]);
  return kind && new StorageFault(kind, path ?? place, error as SystemError);
}
