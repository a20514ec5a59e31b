import { type AddressInfo, isIPv6 } from "node:net";
import type { Server } from "node:http";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { targetOf, type Target } from "../control-plane/access/host-guard";
import { withEarlyRefusal } from "./early-refusal";
import type { PlaneEnvironment } from "../control-plane/routes/environment";

export interface Listening {
  port: number;
  close(): Promise<void>;
}

/** Address that the control plane listens on. */
export interface Place {
  host: string;
  /** Port to listen on. If 0, the system assigns a free port. */
  port: number;
  /** Accepted names in the `Host` header, in addition to loopback names and the address itself. */
  allowedHosts: readonly string[];
}

/** Function that responds to a request to the control plane or to a deployment's own origin. */
export type Serve = (
  request: Request,
  environment: PlaneEnvironment["Bindings"],
  target: Target,
) => Response | Promise<Response>;

/** Listens for requests and responds to them. */
export async function listen(serve: Serve, { host, port, allowedHosts }: Place): Promise<Listening> {
  const addresses = { host, allowed: allowedHosts };
  const server = createAdaptorServer({
    fetch: (request, environment) => {
      const target = targetOf(addresses, (environment as Partial<HttpBindings>).incoming);
      if (target instanceof Response) return target;
      // No client needs this method, and a request that uses it cannot be forwarded.
      if (request.method === "TRACE") return Response.json({ detail: "Method Not Allowed" }, { status: 405 });
      return withEarlyRefusal(request, (one) => serve(one, environment as Partial<HttpBindings>, target));
    },
    overrideGlobalObjects: false,
  }) as Server;
  // Long enough for a large source on a slow connection. An upload URL is valid for the same time.
  server.requestTimeout = 15 * 60_000;
  // This is longer than clients keep idle connections open. Otherwise, a client may send a request on a connection that
  // is being closed.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(startFailure(error, host, port)));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Formats a name or an address for use in a URL. */
export function inUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

function startFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code !== "EADDRINUSE") return error;
  return new Error(
    `Port ${port} on ${host} is in use by another program. Free it, or choose another port; ` +
      "the URLs of existing deployments then change, so programs that use them must be updated.",
  );
}
