import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts an MCP server that reports where its users authenticate, and stops it after `use` has completed. */
export async function withDiscoverableServer(use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const answers: Record<string, object> = {
      "/.well-known/oauth-authorization-server": {
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
      },
      "/register": { client_id: "dynamic", client_secret: "secret" },
    };
    const found = answers[request.url ?? ""];
    response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
