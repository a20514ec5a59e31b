import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { json, type Answer } from "./server";

const agents: HostileAgent[] = [];

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
});

const id = "6b1c3d4e-0000-4000-8000-000000000001";
const runId = "6b1c3d4e-0000-4000-8000-000000000002";

/** An agent server with one object of each kind, whose endpoints can be made to misbehave. */
export class HostileAgent {
  static readonly id = id;
  readonly requests: string[] = [];
  /** Responses that replace the usual ones, keyed by endpoint, such as `GET /assistants/:id`. */
  readonly odd: Record<string, Answer | undefined> = {};
  /** True if the objects exist. */
  exists = false;
  /** Ends the client's wait for a response. */
  giveUp = () => {};
  private readonly sockets = new Set<Socket>();
  private server!: Server;

  static async start(): Promise<HostileAgent> {
    const one = new HostileAgent();
    one.server = createServer((request, response) => void one.take(request, response));
    one.server.on("connection", (socket: Socket) => {
      one.sockets.add(socket.on("error", () => {}));
      socket.on("close", () => one.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => one.server.listen(0, "127.0.0.1", resolve));
    agents.push(one);
    return one;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    request.setEncoding("utf8").on("error", () => {});
    response.on("error", () => {});
    try {
      for await (const chunk of request) body += chunk;
    } catch {
      return;
    }
    const endpoint = endpointOf(request);
    this.requests.push(endpoint);
    const odd = this.odd[endpoint];
    if (odd) return odd(request, response, body, this.giveUp);
    const [status, answer] = this.proper(endpoint);
    json(status, answer)(request, response, body, this.giveUp);
  }

  private proper(endpoint: string): [number, unknown] {
    const metadata = { agentserver_owner: "owner-1", agentserver_resource: "shop/dev:it" };
    const records: Record<string, object> = {
      "/assistants": { assistant_id: id, graph_id: "agent", name: "Old", version: 1, metadata },
      "/runs/crons": {
        cron_id: id,
        assistant_id: "agent",
        schedule: "0 1 * * *",
        payload: {},
        metadata,
        thread_id: null,
      },
      "/threads": { thread_id: id, metadata, status: "idle" },
      "/store/items": { namespace: ["a"], key: "b", value: { old: true } },
    };
    const listener = {
      id,
      compute_type: "k8s",
      compute_id: "cluster",
      compute_config: { k8s_namespaces: ["a"] },
    };
    if (endpoint === "GET /v2/deployments") return [200, { resources: [], offset: 0 }];
    if (endpoint === "GET /v2/listeners")
      return [200, { resources: this.exists ? [listener] : [], offset: 0 }];
    if (endpoint.includes("/v2/listeners"))
      return endpoint.startsWith("DELETE") ? [204, undefined] : [200, listener];
    const run = { run_id: runId, status: "success", metadata };
    if (endpoint === "POST /store/items/search") return [200, { items: this.items(records) }];
    if (endpoint === "GET /threads/:id/state") return [200, { values: {}, tasks: [] }];
    if (endpoint === "GET /threads/:id/runs") return [200, []];
    if (endpoint === "POST /threads/:id/runs" || endpoint === "GET /threads/:id/runs/:id") return [200, run];
    if (endpoint === "GET /threads/:id/runs/:id/join") return [200, { done: true }];
    const [method, path] = endpoint.split(" ") as [string, string];
    if (path.endsWith("/search")) return [200, this.exists ? [records[path.replace("/search", "")]] : []];
    const record = records[path.replace("/:id", "")];
    if (!record) return [404, { detail: "no such path" }];
    if (method === "DELETE" || method === "PUT") return [204, undefined];
    if (method === "POST") this.exists = true;
    return this.exists ? [200, record] : [404, { detail: "not there" }];
  }

  private items(records: Record<string, object>): object[] {
    return this.exists ? [records["/store/items"]!] : [];
  }
}

/** Returns the method and path of a request, without IDs and query. */
function endpointOf({ method, url }: IncomingMessage): string {
  const path = url!
    .split("?")[0]!
    .replace("/api-host", "")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id");
  return `${method} ${path}`;
}
