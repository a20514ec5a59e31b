export interface UploadBounds {
  /** Maximum size of the archive, in bytes. */
  bytes: number;
  /** Maximum size of the uncompressed archive, in bytes. */
  unpackedBytes: number;
  /** Maximum number of files and folders, including folders that occur only in paths. */
  entries: number;
  /** Maximum depth of nested folders. */
  depth: number;
}

/**
 * Default limits. The first one is the limit of the public service. The others prevent a small archive from unpacking
 * into a large amount of data.
 */
export const uploadBounds: UploadBounds = {
  bytes: 200 * 1024 ** 2,
  unpackedBytes: 1024 ** 3,
  entries: 100_000,
  depth: 100,
};
