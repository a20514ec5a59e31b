import { isIPv6 } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import { agentsPath } from "../../gateway/route";

/** Names and addresses under which a control plane is reachable. */
export interface Addresses {
  /** Address that the control plane listens on. */
  host: string;
  /** Additional host names that are accepted in requests, for example from a proxy or a container. */
  allowed: readonly string[];
}

/** Target of a request: the control plane or, if there is an ID, the origin of a deployment. */
export interface Target {
  deploymentId?: string;
}

/**
 * Returns the target of a request based on its `Host` header: `<deployment_id>.<name>` is the origin of a deployment.
 * Rejects names that do not belong to the control plane, because a web page can point its own domain at this machine
 * and could then read every response (DNS rebinding). Requests without a socket come from the same process, so they are
 * always accepted.
 */
export function targetOf(
  { host, allowed }: Addresses,
  incoming: HttpBindings["incoming"] | undefined,
): Target | Response {
  if (!incoming) return {};
  // The target of a request to a proxy is a complete URL, which takes precedence over the header (RFC 9112, 3.2.2).
  const [, targetHost] = /^https?:\/\/([^/?#]*)/i.exec(incoming.url ?? "") ?? [];
  const asked = nameIn(targetHost ?? incoming.headers.host);
  const own = [host, incoming.socket.localAddress, ...allowed].map(nameIn);
  const isOwn = (name: string) => isLoopback(name) || own.includes(name);
  const [, deploymentId, parent] = agentHost.exec(asked ?? "") ?? [];
  if (deploymentId !== undefined && isOwn(parent!)) return { deploymentId };
  if (asked !== undefined && isOwn(asked)) return {};
  const named = asked === undefined ? "an invalid name" : `"${asked.slice(0, 100)}"`;
  const isPlain = asked !== undefined && /^[\w.-]{1,100}$/.test(asked);
  const detail =
    `The Host header contains ${named}, which is not an address of this control plane. Use one of its own addresses, ` +
    `or allow the name when you start the control plane: \`allowedHosts\`, or \`npx agentserver emulate --allowed-host${isPlain ? ` ${asked}` : ""}\`.`;
  return Response.json({ detail }, { status: 421 });
}

/**
 * Rejects requests to the control plane itself from pages that agents serve: from the origins of deployments, and from
 * sandboxed pages, whose origin is `null`. Other programs and the web console do not send such an origin.
 *
 * @returns undefined for permitted requests.
 */
export function agentOriginRefusal(request: Request): Response | undefined {
  const { hostname, pathname } = new URL(request.url);
  const origin = request.headers.get("origin");
  if (origin === null || pathname.startsWith(`${agentsPath}/`)) return undefined;
  const name = URL.canParse(origin) ? new URL(origin).hostname : undefined;
  if (name !== undefined && (name === hostname || !(agentHost.test(name) || name.endsWith(".localhost"))))
    return undefined;
  const detail = "Requests to the control plane from pages that agents serve are rejected.";
  return Response.json({ detail }, { status: 403 });
}

const agentHost = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(.+)$/;

/** Returns the normalized name or address, without a port. */
function nameIn(host: string | undefined): string | undefined {
  const bare = host?.replace(/^::ffff:/, "");
  if (!bare) return undefined;
  const url = `http://${isIPv6(bare) ? `[${bare}]` : bare}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : undefined;
}

function isLoopback(name: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(name);
}
