import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { VirtualClock } from "../../emulator/index";
import { limitedAnswer, limitedQuery, refusalOf, type ServerLimits } from "./server-limits";

/**
 * Proxy of the local control plane that applies limits. The journal of the control plane contains the actual requests.
 */
export class LimitedServer {
  private readonly server: Server;

  /** Resolves when a delayed write has been processed. Later requests wait for it. */
  private carriedOut: Promise<unknown> = Promise.resolve();

  /** @param origin returns the current origin of the local control plane */
  constructor(
    private readonly limits: ServerLimits,
    private readonly origin: () => string,
    private readonly clock: VirtualClock,
  ) {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  /**
   * Starts listening.
   * @returns the origin
   */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET" } = request;
    const url = new URL(request.url ?? "/", this.origin());
    const refusal = refusalOf(this.limits, method, url.pathname);
    const body = (await request.setEncoding("utf8").toArray()).join("");
    if (refusal) {
      response.writeHead(refusal.status, { "content-type": "application/json" });
      response.end(JSON.stringify(refusal.body));
      return;
    }
    const query = limitedQuery(this.limits, Object.fromEntries(url.searchParams));
    url.search = new URLSearchParams(query).toString();
    const headers = Object.entries(request.headers).filter(
      ([name, value]) =>
        typeof value === "string" && !["host", "connection", "content-length"].includes(name),
    );
    const send = () =>
      fetch(url, {
        method,
        headers: headers as [string, string][],
        body: body === "" ? undefined : body,
        redirect: "manual",
      });
    const { late } = this.limits;
    if (late?.method === method) {
      delete this.limits.late;
      this.clock.after(late.afterMs, () => {
        this.carriedOut = send();
      });
      if (late.answer === 504) response.writeHead(504).end();
      return;
    }
    await this.carriedOut;
    const answer = await send();
    const text = await answer.text();
    const passed = ["content-type", "retry-after"].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(answer.status, Object.fromEntries(passed));
    const isRecord = answer.ok && text.startsWith("{");
    const record = isRecord && (JSON.parse(text) as Record<string, unknown>);
    response.end(record ? JSON.stringify(limitedAnswer(this.limits, record)) : text);
  }
}
