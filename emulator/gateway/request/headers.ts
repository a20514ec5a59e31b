import { internalApiTokenHeader, cronDeliveryHeader } from "../../rollout/internal-api-headers";
import { type OwnOrigin, sessionCookie } from "../route";

/** Headers that apply to a single connection and are not forwarded. */
const hopByHop = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Headers for the gateway that must not be forwarded to the agent, and headers that only the gateway may set. */
const forGateway = [
  "x-tenant-id",
  "host",
  "expect",
  // The Python runtime rejects preflight requests that contain this header.
  "access-control-request-private-network",
  internalApiTokenHeader,
  cronDeliveryHeader,
];

/**
 * Returns the headers of a request to the agent, without the credential for the gateway. Forwards `Authorization` if
 * the credential is an `X-Api-Key` or a session, because a project may use its own authentication. Forwards cookies
 * only on the deployment's own origin, because cookies under a path of the control plane belong to the control plane's
 * host.
 */
export function requestHeaders(headers: Headers, ownOrigin?: OwnOrigin): Record<string, string> {
  const credential = headers.has("x-api-key") || ownOrigin?.signedIn ? "x-api-key" : "authorization";
  const named = namedByConnection(headers.get("connection"));
  const dropped = new Set([...hopByHop, ...forGateway, credential, "cookie", ...named]);
  const cookies = ownOrigin ? otherCookies(headers.get("cookie")) : "";
  return {
    ...Object.fromEntries([...headers].filter(([name]) => !dropped.has(name))),
    ...(cookies && { cookie: cookies }),
  };
}

function otherCookies(cookies: string | null): string {
  const pairs = (cookies ?? "").split(";").map((pair) => pair.trim());
  return pairs.filter((pair) => pair && pair.split("=")[0]!.trim() !== sessionCookie).join("; ");
}

/** Headers that affect an entire origin, and one header that only the gateway may set. */
const ofOrigin = [
  "service-worker-allowed",
  "set-cookie",
  "clear-site-data",
  "access-control-allow-private-network",
];

/**
 * Returns the response headers for the caller. Documents that an agent serves under a path of the control plane share
 * the origin of the web console, so they are sandboxed.
 * @param raw - Headers in the format of Node.js: alternating names and values.
 */
export function responseHeaders(raw: string[], origin: string, base: string): Headers {
  const pairs = Array.from(
    { length: raw.length / 2 },
    (_, i) => [raw[2 * i]!.toLowerCase(), raw[2 * i + 1]!] as const,
  );
  const connection = pairs.filter(([name]) => name === "connection").map(([, value]) => value);
  const dropped = new Set([...hopByHop, ...ofOrigin, ...namedByConnection(connection.join(","))]);
  const headers = new Headers();
  for (const [name, value] of pairs) {
    if (!dropped.has(name)) headers.append(name, rewritten(name, value, origin, base));
  }
  headers.set("x-content-type-options", "nosniff");
  if (base) headers.append("content-security-policy", "sandbox; frame-ancestors 'none'");
  return headers;
}

function namedByConnection(value: string | null): string[] {
  return (value ?? "").split(",").map((name) => name.trim().toLowerCase());
}

/**
 * Rewrites redirect locations that contain the internal URL of the agent to locations below the URL of the deployment.
 */
function rewritten(name: string, value: string, origin: string, base: string): string {
  if (name !== "location" && name !== "content-location") return value;
  if (value === origin || value.startsWith(`${origin}/`)) return base + value.slice(origin.length);
  return name === "location" && /^\/(?!\/)/.test(value) ? base + value : value;
}
