/**
 * Where a repository is, written in one way whatever its URL looks like: `github.com/acme/agents`. User names,
 * passwords, `.git` and detours such as `..` are gone, so that none of them gets a repository past a pattern.
 */
export function repositoryAddress(url: string): string {
  const shortForm = /^[^/@\s]+@([^/:\s]+):(?!\/\/)(.*)$/.exec(url.trim());
  const full = shortForm ? `ssh://${shortForm[1]}/${shortForm[2]}` : url.trim();
  const { host, pathname } = URL.canParse(full) ? new URL(full) : new URL(full, "file:///");
  return host + pathname.replace(/\/+$/, "").replace(/\.git$/, "");
}
