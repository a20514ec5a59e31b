import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import type { PlaneEnvironment } from "./routes/environment";

/** A server that listens. */
export interface Listening {
  port: number;
  close(): Promise<void>;
}

/** Serves `app`; without a port the system picks a free one. */
export async function listen(app: Hono<PlaneEnvironment>, host: string, port: number): Promise<Listening> {
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
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

function startFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code !== "EADDRINUSE") return error;
  return new Error(
    `Port ${port} on ${host} is taken by another program. Free it, or choose another port; ` +
      "the URLs of existing deployments then change, so programs that know them must learn the new ones.",
  );
}
