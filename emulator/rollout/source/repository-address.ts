import { isAbsolute } from "node:path";

/** URL of a repository, for git and for display. */
export interface RepositoryAddress {
  /**
   * URL that git fetches from, without the user name and password (an ssh URL keeps the user name), because
   * command-line arguments are visible to every user of the machine.
   */
  fetch: string;
  /** HTTP credentials from the URL, which are passed to git in its environment. */
  login?: { username: string; password: string };
  /** URL of the repository without credentials, for display. */
  shown: string;
  /** Parts of the URL that must be redacted. */
  credentials: string[];
}

const schemes = ["https:", "http:", "ssh:", "git:", "file:"];
const accepted = "an https, ssh, git, or file URL, user@host:path, or an absolute path";

/** Parses `repo_url`. Throws an `Error` if it is invalid. */
export function repositoryAddress(repoUrl: string): RepositoryAddress {
  const address = repoUrl.trim();
  if (address === "") throw new Error(`source_config.repo_url is empty; it must be ${accepted}.`);
  if (/[\u0000-\u001f\u007f]/.test(address))
    throw new Error("source_config.repo_url contains a control character.");
  if (address.startsWith("-") || /^[\w+.-]+::/.test(address)) throw refused(address);
  if (isAbsolute(address)) return { fetch: address, shown: address, credentials: [] };
  if (/^[\w+.-]+:\/\//.test(address)) return fromUrl(address);
  if (/^[\w.-]+@[\w.-]+:[^-]/.test(address) && !address.startsWith("-")) {
    return { fetch: address, shown: address, credentials: [] };
  }
  throw refused(address);
}

function fromUrl(address: string): RepositoryAddress {
  if (!URL.canParse(address)) throw new Error("source_config.repo_url is not a valid URL.");
  const url = new URL(address);
  if (!schemes.includes(url.protocol) || url.hostname.startsWith("-")) throw refused(withoutCredentials(url));
  const credentials = [
    url.password,
    ...(url.protocol === "ssh:" ? [] : [url.username]),
    ...url.search
      .slice(1)
      .split("&")
      .map((pair) => pair.slice(pair.indexOf("=") + 1)),
  ].filter(Boolean);
  const login = { username: decoded(url.username), password: decoded(url.password) };
  if (/[\u0000-\u001f\u007f]/.test(login.username + login.password))
    throw new Error("source_config.repo_url contains a control character.");
  const named = /^https?:$/.test(url.protocol) && url.username + url.password !== "";
  return {
    fetch: withoutLogin(url, address),
    ...(named ? { login } : {}),
    shown: withoutCredentials(url),
    credentials: credentials.flatMap((part) => [part, decoded(part)]),
  };
}

/** Returns the URL without credentials. A URL without credentials is returned unchanged. */
function withoutLogin(url: URL, address: string): string {
  const bare = new URL(url);
  if (url.protocol !== "ssh:") bare.username = "";
  bare.password = "";
  return bare.href === url.href ? address : bare.href;
}

function withoutCredentials(url: URL): string {
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  shown.search = "";
  return shown.toString();
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function refused(address: string): Error {
  const shown = address.replace(/\/\/[^/@]*@/g, "//").replace(/\?.*$/s, "");
  return new Error(`source_config.repo_url "${shown}" is not supported; it must be ${accepted}.`);
}
