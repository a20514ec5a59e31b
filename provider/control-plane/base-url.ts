import { AgentServerError } from "../errors";

/** Control plane host of each cloud data region. */
export const regionHosts = {
  us: "https://api.host.langchain.com",
  eu: "https://eu.api.host.langchain.com",
} as const;

export type Region = keyof typeof regionHosts;

/** Regions of the public service. */
export const regions = Object.keys(regionHosts) as [Region, ...Region[]];

/** Path of the control plane on every other host. */
export const selfHostedPrefix = "/api-host";

/**
 * Returns the URL to which `/v2/…` is appended. Cloud hosts serve the control plane at their root. All other hosts
 * serve it under `/api-host`, which is appended if it is missing.
 * @param setting name of the setting that contains the address, for the error
 * @throws AgentServerError `bad_configuration` if the string is not the address of a control plane
 */
export function controlPlaneUrl(baseUrl: string, setting: string): string {
  const url = parse(baseUrl, setting);
  const path = url.pathname.replace(/\/+$/, "");
  if (isCloudHost(url.hostname)) return url.origin + path;
  if (path.endsWith(selfHostedPrefix)) return url.origin + path;
  // Users often have the address of another API of a self-hosted installation.
  return url.origin + path.replace(/\/api(\/v1)?$/, "") + selfHostedPrefix;
}

/** True if the host belongs to the public service. */
export function isCloudHost(hostname: string): boolean {
  return hostname === "api.host.langchain.com" || hostname.endsWith(".api.host.langchain.com");
}

/** Returns the reason that a string is not the address of a control plane; `undefined` if it is one. */
export function baseUrlProblem(baseUrl: string): string | undefined {
  if (!URL.canParse(baseUrl)) return "is not a URL";
  const { protocol, username, password, search, hash, pathname } = new URL(baseUrl);
  if (protocol !== "https:" && protocol !== "http:") return "must start with https:// or http://";
  if (username || password) return "must not contain a user name or password; use the API key";
  if (search || hash) return "must not have a query or a fragment";
  if (/\/v[12](\/|$)/.test(pathname) && !/\/api\/v1\/?$/.test(pathname))
    return "must not include the version: remove /v1 or /v2 and everything after it";
  return undefined;
}

function parse(baseUrl: string, setting: string): URL {
  const problem = baseUrlProblem(baseUrl);
  if (problem === undefined) return new URL(baseUrl);
  throw new AgentServerError(
    "bad_configuration",
    `The control plane's address ${problem}. Set ${setting} to something like https://host.example.com.`,
  );
}
