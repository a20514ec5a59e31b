/** Limits of an upload. */
export interface UploadBounds {
  /** Maximum size of the archive, in bytes. */
  bytes: number;
  /** Maximum size of the uncompressed archive, in bytes. */
  unpackedBytes: number;
  /** Maximum number of files and folders, including folders that only occur in paths. */
  entries: number;
  /** Maximum nesting of folders. */
  depth: number;
}

/** The first limit is that of the public service; the others prevent small archives from becoming large here. */
export const uploadBounds: UploadBounds = {
  bytes: 200 * 1024 ** 2,
  unpackedBytes: 1024 ** 3,
  entries: 100_000,
  depth: 100,
};
