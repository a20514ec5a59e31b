import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** Response of the control plane, with a parsed body. */
interface ProxiedAnswer {
  status: number;
  body: unknown;
}

/** Changes a response. `origin` is the address of the proxy. */
export type Mutation = (
  request: { method: string; path: string; body: unknown; origin: string },
  answer: ProxiedAnswer,
) => ProxiedAnswer | Promise<ProxiedAnswer>;

/**
 * Starts a proxy that changes responses. Returns its address and a function that stops it.
 * @param refuses returns true for requests that are answered with 503 without being forwarded
 */
export async function startMutatingProxy(
  target: string,
  mutate: Mutation,
  refuses: (request: { method: string; path: string }) => boolean = () => false,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    void (async () => {
      const text = await textOf(request);
      const path = request.url!;
      if (refuses({ method: request.method!, path })) return void response.writeHead(503).end();
      const answer = await fetch(target + path, {
        method: request.method!,
        headers: headersOf(request),
        ...(text !== "" && { body: text }),
      });
      const received = await answer.text();
      const changed = await mutate(
        { method: request.method!, path, body: parsed(text), origin: `http://${request.headers.host}` },
        { status: answer.status, body: parsed(received) },
      );
      response.writeHead(changed.status, { "content-type": "application/json", connection: "close" });
      response.end(changed.status === 204 ? undefined : JSON.stringify(changed.body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function headersOf(request: IncomingMessage): Record<string, string> {
  const kept = ["x-api-key", "x-tenant-id", "content-type"];
  return Object.fromEntries(
    Object.entries(request.headers).filter(
      (entry): entry is [string, string] => kept.includes(entry[0]) && typeof entry[1] === "string",
    ),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
