import { isCloudHost, selfHostedPrefix } from "../../provider/control-plane/base-url";

/**
 * Returns the address of the control plane's web console: the console of the public service, or the root URL of any
 * other server.
 */
export function pageOf(baseUrl: string, tenantId: string | undefined): string {
  const url = new URL(baseUrl);
  if (!isCloudHost(url.hostname)) return url.origin + url.pathname.slice(0, -selfHostedPrefix.length) + "/";
  const host = url.hostname.replace(/api\.host\.langchain\.com$/, "smith.langchain.com");
  return `https://${host}/${tenantId === undefined ? "" : `o/${encodeURIComponent(tenantId)}/host/deployments`}`;
}

/** Returns the address of the API reference that a control plane or agent server serves. */
export function docsOf(baseUrl: string): string {
  return `${baseUrl.replace(/\/+$/, "")}/docs`;
}

/** True if a browser may open an address that was reported by a server. */
export function isWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}
