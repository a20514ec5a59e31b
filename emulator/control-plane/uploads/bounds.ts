/** Limits of an upload. */
export interface UploadBounds {
  /** Bytes of the archive as it is sent. */
  bytes: number;
  /** Bytes of the uncompressed archive. */
  unpackedBytes: number;
  /** Files and folders in it, including folders that only occur in paths. */
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
