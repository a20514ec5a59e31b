import { type AddressInfo, isIPv6 } from "node:net";
import type { Server } from "node:http";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { foreignHost } from "./access/host-guard";
import type { PlaneEnvironment } from "./routes/environment";

/** A server that listens. */
export interface Listening {
  port: number;
  close(): Promise<void>;
}

/** Where to listen. */
export interface Place {
  host: string;
  /** 0 = a free one that the system picks. */
  port: number;
  /** Names in the Host header to serve besides loopback ones and the address itself. */
  allowedHosts: readonly string[];
}

/** Serves `app`. */
export async function listen(
  app: Hono<PlaneEnvironment>,
  { host, port, allowedHosts }: Place,
): Promise<Listening> {
  const addresses = { host, allowed: allowedHosts };
  const server = createAdaptorServer({
    fetch: (request, environment) =>
      foreignHost(addresses, (environment as Partial<HttpBindings>).incoming) ??
      app.fetch(request, environment),
    overrideGlobalObjects: false,
  }) as Server;
  // A large source on a slow line: the address that it is sent to is good for as long.
  server.requestTimeout = 15 * 60_000;
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

/** A name or an address as it stands in a URL. */
export function inUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

function startFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code !== "EADDRINUSE") return error;
  return new Error(
    `Port ${port} on ${host} is taken by another program. Free it, or choose another port; ` +
      "the URLs of existing deployments then change, so programs that know them must learn the new ones.",
  );
}
