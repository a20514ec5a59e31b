export interface UploadBounds {
  /** Maximum size of the archive, in bytes. */
  bytes: number;
  /** Maximum size of the uncompressed archive, in bytes. */
  unpackedBytes: number;
  /** Maximum number of files and folders, including folders that occur only in paths. */
  entries: number;
  /** Maximum depth of nested folders in the archive. */
  depth: number;
}

/**
 * Default limits. The maximum size of the archive is that of the public service. The other limits prevent a small
 * archive from unpacking into a large amount of data.
 */
export const uploadBounds: UploadBounds = {
  bytes: 200 * 1024 ** 2,
  unpackedBytes: 1024 ** 3,
  entries: 100_000,
  depth: 100,
};
