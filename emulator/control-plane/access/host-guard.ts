import { isIPv6 } from "node:net";
import type { HttpBindings } from "@hono/node-server";

/** The names and addresses by which a control plane may be asked for. */
export interface Addresses {
  /** What it listens on. */
  host: string;
  /** Further names, as a proxy or a container passes them on. */
  allowed: readonly string[];
}

/**
 * Refuses requests that ask for a name which is not the control plane's: a page in a browser can have a name of its own
 * lead here, and would then be let read every answer (DNS rebinding). Requests without a socket come from the program.
 *
 * @returns undefined for requests that may pass.
 */
export function foreignHost(
  { host, allowed }: Addresses,
  incoming: HttpBindings["incoming"] | undefined,
): Response | undefined {
  if (!incoming) return undefined;
  const asked = nameIn(incoming.headers.host);
  const own = [host, incoming.socket.localAddress, ...allowed].map(nameIn);
  if (asked !== undefined && (isLoopback(asked) || own.includes(asked))) return undefined;
  const named = asked === undefined ? "no valid name" : `"${asked.slice(0, 100)}"`;
  const detail =
    `The Host header holds ${named}, which is not an address of this control plane. Use its own address, ` +
    "or allow the name when it is started: `allowedHosts`, or `npx agentserver emulate --allowed-host <name>`.";
  return Response.json({ detail }, { status: 421 });
}

/** The name or address without a port, in one spelling. */
function nameIn(host: string | undefined): string | undefined {
  const bare = host?.replace(/^::ffff:/, "");
  if (!bare) return undefined;
  const url = `http://${isIPv6(bare) ? `[${bare}]` : bare}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : undefined;
}

function isLoopback(name: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(name);
}
