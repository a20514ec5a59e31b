/** True if two addresses refer to the same repository, as far as their spelling shows. */
export function sameRepository(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(url: string): string {
  return url
    .trim()
    .replace(/^[\w+.-]+:\/\//, "")
    .replace(/^[^/@]*@/, "")
    .replace(/^([^/:]+):(?!\d)/, "$1/")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .toLowerCase();
}
