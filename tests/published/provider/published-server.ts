import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Facts } from "../../../tools/published-facts/facts";
import { type Exchange, Judge } from "../judge/exchange";
import { type Measure, sampleOf } from "../judge/samples";

/** Path prefix of a self-hosted control plane. */
const prefix = "/api-host";

/** Server that only knows published operations, and responds to each with a sample of its successful response. */
export class PublishedServer {
  readonly exchanges: (Exchange & { headers: IncomingHttpHeaders })[] = [];
  private readonly judge: Judge;

  private constructor(
    private readonly facts: Facts,
    private readonly measure: Measure,
    private readonly server: Server,
  ) {
    this.judge = new Judge(facts);
    server.on("request", (request, response) => {
      void request
        .setEncoding("utf8")
        .toArray()
        .then((parts) => {
          const { method = "", url = "", headers } = request;
          const { pathname, searchParams } = new URL(url, "http://localhost");
          const path = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : pathname;
          const text = parts.join("");
          const exchange = { method, path, query: Object.fromEntries(searchParams), headers };
          this.exchanges.push(text ? { ...exchange, body: JSON.parse(text) as unknown } : exchange);
          const { status, body } = this.success(exchange);
          response.writeHead(status, { "content-type": "application/json" });
          response.end(body === undefined ? undefined : JSON.stringify(body));
        });
    });
  }

  /** @param measure size of the samples in its responses */
  static async start(facts: Facts, measure: Measure): Promise<PublishedServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new PublishedServer(facts, measure, server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Returns the parts of the requests that are not in the document. */
  findings(): string[] {
    return this.exchanges.flatMap((exchange) => this.judge.request(exchange));
  }

  private success(exchange: Exchange): { status: number; body?: unknown } {
    const { operations, schemas } = this.facts;
    const name = this.judge.operationOf(exchange);
    if (name === undefined) return { status: 404, body: { detail: "Not Found" } };
    const [status, { content }] = Object.entries(operations[name]!.answers).find(([code]) =>
      code.startsWith("2"),
    )!;
    const shape = content?.["application/json"];
    return { status: Number(status), ...(shape && { body: sampleOf({ shape, schemas }, this.measure) }) };
  }
}
