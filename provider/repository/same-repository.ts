/** True if two URLs refer to the same repository, based only on the text of the URLs. */
export function sameRepository(one: string, other: string): boolean {
  return normalizeAddress(one) === normalizeAddress(other);
}

/** Returns the address of a repository without protocol, user, and suffix. */
export function normalizeAddress(url: string): string {
  return url
    .trim()
    .replace(/^[\w+.-]+:\/\//, "")
    .replace(/^[^/@]*@/, "")
    .replace(/^([^/:]+):(?!\d)/, "$1/")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .toLowerCase();
}
