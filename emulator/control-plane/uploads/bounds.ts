/** Limits of an upload. */
export interface UploadBounds {
  /** Bytes of the archive as it is sent. */
  bytes: number;
  /** Bytes of the archive without its compression. */
  unpackedBytes: number;
  /** Files and folders in it, with those that only paths name. */
  entries: number;
  /** Folders in each other. */
  depth: number;
}

/** The first one is that of the public service; the others keep small archives from becoming large here. */
export const uploadBounds: UploadBounds = {
  bytes: 200 * 1024 ** 2,
  unpackedBytes: 1024 ** 3,
  entries: 100_000,
  depth: 100,
};
