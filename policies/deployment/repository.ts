const remoteSchemes = ["https:", "http:", "ssh:", "git:"];

/**
 * Returns the normalized location of a repository, such as `github.com/acme/agents`, without user names, passwords,
 * `.git`, and segments such as `..`. For anything that git and other programs may interpret differently, returns an
 * empty string, which no pattern matches.
 */
export function repositoryAddress(url: string): string {
  const given = url.trim();
  // Programs disagree on whether a host ends at these characters.
  if (/[\s\\?#\p{Cc}]/u.test(given)) return "";
  const [, scheme] = /^([a-z]+:)\/\/[^/]/i.exec(given) ?? [];
  if (scheme !== undefined) return remoteSchemes.includes(scheme.toLowerCase()) ? addressOf(given) : "";
  // In git, a colon before the first slash ends the host, whether or not a user name precedes the host.
  const [, host, path] = /^(?:[^/:@]+@)?([\w.-]+):\/?([^/:@%][^:@%]*)$/.exec(given) ?? [];
  if (host !== undefined) return addressOf(`ssh://${host}/${path}`);
  return /^(file:\/\/)?\/(?!\/)/i.test(given) ? addressOf(given) : "";
}

function addressOf(url: string): string {
  if (!URL.canParse(url, "file:///")) return "";
  const { host, pathname } = new URL(url, "file:///");
  // Git decodes an encoded host, and servers differ in how they handle an encoded slash or dot.
  if (host.includes("%") || /%2[ef]/i.test(pathname)) return "";
  return host.toLowerCase() + pathname.replace(/\/+$/, "").replace(/\.git$/, "");
}
