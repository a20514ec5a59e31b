import { Agent, request } from "node:http";
import type { Listening } from "./servers";

/** Deployment and its first revision. */
export interface Target {
  deploymentId: string;
  revisionId: string;
}

/** Results of one period of load. */
export interface Stretch {
  seconds: number;
  reads: number[];
  writes: number[];
  /** Descriptions of failed requests, and of responses with a status other than 200. */
  errors: string[];
}

/** Number of clients that poll revisions. */
const pollers = 200;
const writers = 20;

/** HTTP agent that keeps one open connection per client. */
const agent = new Agent({ keepAlive: true, maxSockets: pollers + writers });

/** Puts load on a server for a period; `acknowledged` records the last value written by each writer. */
export async function load(
  server: Listening,
  targets: Target[],
  seconds: number,
  acknowledged: Map<string, string>,
): Promise<Stretch> {
  const stretch: Stretch = { seconds, reads: [], writes: [], errors: [] };
  const end = performance.now() + seconds * 1_000;
  const repeat = async (times: number[], once: (turn: number) => Promise<void>) => {
    for (let turn = 0; performance.now() < end; turn += 1) {
      const startedAt = performance.now();
      try {
        await once(turn);
        times.push(performance.now() - startedAt);
      } catch (error) {
        stretch.errors.push(String(error));
      }
    }
  };
  const poll = (client: number) =>
    repeat(stretch.reads, async (turn) => {
      const { deploymentId, revisionId } = targets[(client + turn * pollers) % targets.length]!;
      await send(server, "GET", `/v2/deployments/${deploymentId}/revisions/${revisionId}`);
    });
  const write = (client: number) =>
    repeat(stretch.writes, async () => {
      const { deploymentId } = targets[client]!;
      const custom_url = `https://${client}.example.com/${performance.now()}`;
      await send(server, "PATCH", `/v2/deployments/${deploymentId}`, { source_config: { custom_url } });
      acknowledged.set(deploymentId, custom_url);
    });
  await Promise.all([...Array(pollers).keys()].map(poll).concat([...Array(writers).keys()].map(write)));
  return stretch;
}

/** Sends a request. Resolves with the body of a successful response, and otherwise rejects. */
export function send(server: Listening, method: string, path: string, body?: unknown): Promise<unknown> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    "X-Api-Key": server.apiKey,
    "X-Tenant-Id": server.tenantId,
    ...(text && { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.baseUrl}${path}`, { method, headers, agent }, (response) => {
      let received = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (received += chunk));
      response.on("end", () => {
        if (response.statusCode === 200 || response.statusCode === 201) resolve(JSON.parse(received));
        else reject(new Error(`${method} answered ${response.statusCode}`));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}
