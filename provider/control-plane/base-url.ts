import { AgentServerError } from "../errors";

/** Control plane host of each cloud data region. */
export const regionHosts = {
  us: "https://api.host.langchain.com",
  eu: "https://eu.api.host.langchain.com",
} as const;

export type Region = keyof typeof regionHosts;

/** Regions of the public service. */
export const regions = Object.keys(regionHosts) as [Region, ...Region[]];

const selfHostedPrefix = "/api-host";

/**
 * Returns the URL to which `/v2/…` is appended. Cloud hosts serve the control plane at their root, every other host
 * under `/api-host`, which is appended if it is missing.
 */
export function controlPlaneUrl(baseUrl: string): string {
  const url = parse(baseUrl);
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

function parse(baseUrl: string): URL {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw invalid("is not a URL");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw invalid("must start with https:// or http://");
  if (url.username || url.password)
    throw invalid("must not contain a user name or password; use the API key");
  if (url.search || url.hash) throw invalid("must not have a query or a fragment");
  if (/\/v[12](\/|$)/.test(url.pathname) && !/\/api\/v1\/?$/.test(url.pathname))
    throw invalid("must not include the version: remove /v1 or /v2 and everything after it");
  return url;
}

function invalid(problem: string): AgentServerError {
  return new AgentServerError(
    "bad_configuration",
    `The control plane's address ${problem}. Set agentserver:baseUrl (or AGENTSERVER_BASE_URL) to something like https://host.example.com.`,
  );
}
