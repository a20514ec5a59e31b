/** True if the ref is a full commit ID (SHA-1 or SHA-256). Unlike a branch, such a ref never moves. */
export function isCommit(ref: unknown): boolean {
  return typeof ref === "string" && /^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(ref);
}

/** True if the image is specified by its digest, so that it never changes. */
export function hasDigest(imageUri: unknown): boolean {
  return typeof imageUri === "string" && /@sha256:[0-9a-f]{64}$/.test(imageUri);
}

/**
 * True if a text may be a full commit ID, a commit ID shortened to 7 to 12 digits, an image with its digest, or a
 * digest alone. Other hexadecimal numbers are often random keys.
 */
export function isArtifactText(text: unknown): boolean {
  return (
    typeof text === "string" && /^[0-9a-f]{7,12}$|^[0-9a-f]{40}$|^(\S+@)?sha256:[0-9a-f]{64}$/i.test(text)
  );
}
