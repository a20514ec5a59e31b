import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

/** An endpoint of the control plane that the provider uses. */
export type Endpoint =
  "list" | "create" | "read" | "patch" | "delete" | "revision" | "revisions" | "logs" | "description";

/** @param giveUp ends the client's wait for the response */
export type Answer = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  giveUp: () => void,
) => void;

const servers: HostileServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A control plane with one deployment, whose endpoints can be made to misbehave. */
export class HostileServer {
  readonly requests: string[] = [];
  /** Value of the API key header of each request. */
  readonly keys: (string | undefined)[] = [];
  /** Responses that replace the usual ones, keyed by endpoint. */
  readonly odd: Partial<Record<Endpoint, Answer>> = {};
  /** True if the deployment exists. */
  exists = false;
  /** Ends the client's wait for a response. If not set, the wait ends on its own. */
  giveUp = () => {};
  private owner = "";
  private readonly sockets = new Set<Socket>();
  private server!: ReturnType<typeof createHttpServer>;

  static async start(tls?: { key: string; cert: string }): Promise<HostileServer> {
    const one = new HostileServer();
    const answer = (request: IncomingMessage, response: ServerResponse) => void one.take(request, response);
    one.server = tls ? createHttpsServer(tls, answer) : createHttpServer(answer);
    one.server.on("connection", (socket: Socket) => {
      one.sockets.add(socket.on("error", () => {}));
      socket.on("close", () => one.sockets.delete(socket));
    });
    one.server.on("tlsClientError", () => {});
    await new Promise<void>((resolve) => one.server.listen(0, "127.0.0.1", resolve));
    servers.push(one);
    return one;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(`${request.method} ${request.url}`);
    this.keys.push(request.headers["x-api-key"] as string | undefined);
    let body = "";
    request.setEncoding("utf8").on("error", () => {});
    response.on("error", () => {});
    try {
      for await (const chunk of request) body += chunk;
    } catch {
      return;
    }
    const endpoint = endpointOf(request);
    if (endpoint === "create" || endpoint === "patch") this.remember(body);
    if (endpoint === "create") this.exists = true;
    const odd = this.odd[endpoint];
    if (odd) return odd(request, response, body, this.giveUp);
    if (endpoint === "delete") this.exists = false;
    const [status, answer] = this.proper(endpoint);
    json(status, answer)(request, response, body, this.giveUp);
  }

  private remember(body: string): void {
    const { secrets = [] } = JSON.parse(body) as { secrets?: { name: string; value: string }[] };
    this.owner = secrets.find(({ name }) => name === "AGENTSERVER_OWNER")?.value ?? this.owner;
  }

  private proper(endpoint: Endpoint): [number, unknown] {
    const secrets = [{ name: "AGENTSERVER_OWNER", value: this.owner }];
    const record = {
      id: "d1",
      name: "support-agent",
      latest_revision_id: "r1",
      active_revision_id: "r1",
      secrets,
    };
    const revision = { id: "r1", status: "DEPLOYED", created_at: "2026-01-01T00:00:00Z" };
    switch (endpoint) {
      case "list":
        return [200, { resources: this.exists ? [record] : [], offset: 0 }];
      case "create":
        return [201, record];
      case "read":
        return this.exists ? [200, record] : [404, { detail: "no such deployment" }];
      case "patch":
        return [200, record];
      case "delete":
        return [204, undefined];
      case "revision":
        return [200, revision];
      case "revisions":
        return [200, { resources: [revision], offset: 0 }];
      case "logs":
        return [200, { logs: [] }];
      case "description":
        return [404, { detail: "none" }];
    }
  }
}

function endpointOf({ method, url = "" }: IncomingMessage): Endpoint {
  const path = url.replace(/\?.*/, "").replace(/^\/api-host/, "");
  if (path === "/openapi.json") return "description";
  if (path === "/v2/deployments") return method === "POST" ? "create" : "list";
  if (path.endsWith("/logs")) return "logs";
  if (path.endsWith("/revisions")) return "revisions";
  if (path.includes("/revisions/")) return "revision";
  return method === "PATCH" ? "patch" : method === "DELETE" ? "delete" : "read";
}

/** Returns a response that sends a value as JSON. */
export function json(status: number, value: unknown): Answer {
  const text = value === undefined ? undefined : JSON.stringify(value);
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  };
}

/** Returns a response that sends bytes. */
export function raw(status: number, body: string | Buffer, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(status, headers).end(body);
  };
}
