const remoteSchemes = ["https:", "http:", "ssh:", "git:"];

/**
 * Where a repository is, written in one way whatever its URL looks like: `github.com/acme/agents`. User names,
 * passwords, `.git` and detours such as `..` are gone, so that none of them gets a repository past a pattern. Empty for
 * what is no URL, which no pattern matches.
 */
export function repositoryAddress(url: string): string {
  // A backslash is part of a name to git, and would be a slash here: another host than the one that is asked.
  const given = url.trim().replaceAll("\\", "%5C");
  const shortForm = /^[^/@\s]+@([^/:\s]+):(?!\/\/)(.*)$/.exec(given);
  const full = shortForm ? `ssh://${shortForm[1]}/${shortForm[2]}` : given;
  if (!URL.canParse(full, "file:///")) return "";
  const { protocol, host, pathname } = new URL(full, "file:///");
  // What another scheme reads is not at this host, and servers disagree about an encoded slash or dot.
  if (host !== "" && !remoteSchemes.includes(protocol)) return "";
  if (/%2[ef]/i.test(pathname)) return "";
  return host + pathname.replace(/\/+$/, "").replace(/\.git$/, "");
}
