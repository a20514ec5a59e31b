import { BlockList, isIP } from "node:net";
import { AgentServerError } from "../errors";

/** Proxy settings as specified in an environment. */
export interface ProxySettings {
  /** Proxy for http addresses, from `HTTP_PROXY`. */
  http?: string;
  /** Proxy for https addresses, from `HTTPS_PROXY`. */
  https?: string;
  /**
   * Addresses that do not use a proxy, from `NO_PROXY`: hosts, domains, addresses, and subnets, optionally with a port;
   * `*` for all.
   */
  bypass?: string;
}

/**
 * Returns the proxy settings in the environment. Lowercase names take precedence, and `ALL_PROXY` applies to both
 * schemes.
 */
export function proxySettings(env: NodeJS.ProcessEnv): ProxySettings {
  const setting = (name: string) => env[name.toLowerCase()]?.trim() || env[name]?.trim() || undefined;
  return {
    http: setting("HTTP_PROXY") ?? setting("ALL_PROXY"),
    https: setting("HTTPS_PROXY") ?? setting("ALL_PROXY"),
    bypass: setting("NO_PROXY"),
  };
}

/**
 * Returns the proxy for an address, if any. Addresses on this machine never use a proxy.
 * @param service service at that address, for example `control plane`
 * @throws AgentServerError `bad_configuration` for a setting that is not an http or https proxy
 */
export function proxyFor(address: string, service: string, settings: ProxySettings = {}): URL | undefined {
  const url = new URL(address);
  const setting = url.protocol === "https:" ? settings.https : settings.http;
  if (!setting || isLoopback(url.hostname) || isBypassed(url, settings.bypass ?? "")) return undefined;
  const proxy = URL.parse(setting.includes("://") ? setting : `http://${setting}`);
  if (proxy && ["http:", "https:"].includes(proxy.protocol) && proxy.hostname) return proxy;
  // The setting may contain a password, so it is not repeated.
  throw new AgentServerError(
    "bad_configuration",
    `${url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY"} is not the address of an http or https proxy; set it to something like http://proxy.example.com:3128, or list the ${service}'s host in NO_PROXY.`,
  );
}

/** Decodes a user name or password in a URL. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** True if the host of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" || hostname.endsWith(".localhost") || /^(127(\.\d+){3}|\[::1\])$/.test(hostname)
  );
}

function isBypassed(url: URL, bypass: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return bypass
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== "" && matches(entry, host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return isInSubnet(entry, host);
  const [, name = "", wantedPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(isIP(entry) ? `[${entry}]` : entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const domain = name.replace(/^\*?\./, "");
  // A plain name includes the host and its subdomains; one that starts with a dot includes only the subdomains.
  return (
    (domain === name && host === domain) || (domain !== "" && !isIP(host) && host.endsWith(`.${domain}`))
  );
}

function isInSubnet(entry: string, host: string): boolean {
  const [base = "", bits] = entry.split("/");
  const family = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");
  if (!isIP(base) || !isIP(host)) return false;
  try {
    const subnet = new BlockList();
    subnet.addSubnet(base, Number(bits), family(base));
    return subnet.check(host, family(host));
  } catch {
    // The prefix length is invalid for the address.
    return false;
  }
}
