import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request and the status of its response. */
export interface RecordedRequest {
  method: string;
  /** Path with the query. */
  path: string;
  body: string;
  status: number;
}

const closing: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const close of closing.splice(0)) await close();
});

/**
 * Proxy of a control plane and its agent servers. It records requests with their bodies, because the journal omits the
 * bodies of requests to agent servers. Responses contain the proxy's address instead of the server's address.
 */
export class RecordingProxy {
  private readonly requests: RecordedRequest[] = [];
  /**
   * Number of the request that the proxy does not answer, counted from the last call of `take`, and a function that is
   * called when the request arrives.
   */
  private held: { number: number; arrive: () => void } | undefined;
  private readonly unanswered: ServerResponse[] = [];

  private constructor(
    /** Base URL of the control plane, which is reached through the proxy. */
    readonly baseUrl: string,
    private readonly origin: string,
    private readonly target: string,
  ) {}

  /**
   * Starts a proxy, which is stopped after the tests of the file.
   * @param baseUrl base URL of the control plane
   */
  static async start(baseUrl: string): Promise<RecordingProxy> {
    const { origin: target, pathname } = new URL(baseUrl);
    const server = createServer((request, response) => {
      proxy.forward(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = new RecordingProxy(origin + pathname, origin, target);
    return proxy;
  }

  /** Returns the address of the control plane or an agent server through the proxy. */
  proxied(url: string): string {
    return url.replaceAll(this.target, this.origin);
  }

  /** Returns the requests since the last call. */
  take(): RecordedRequest[] {
    return this.requests.splice(0);
  }

  /** Resolves when the request with this number, counted from 1, has arrived. The proxy does not respond to it. */
  hold(number: number): Promise<void> {
    this.take();
    return new Promise((arrive) => (this.held = { number, arrive }));
  }

  /** Responds to all later requests, and closes the connections of unanswered ones. */
  async release(): Promise<void> {
    this.held = undefined;
    for (const response of this.unanswered.splice(0)) response.destroy();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  private async forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/" } = request;
    const body = (await request.setEncoding("utf8").toArray()).join("");
    const recorded: RecordedRequest = { method, path, body, status: 0 };
    this.requests.push(recorded);
    if (this.requests.length === this.held?.number) {
      this.unanswered.push(response);
      this.held.arrive();
      this.held = undefined;
      return;
    }
    const headers = Object.entries(request.headers).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === "string" && !["host", "connection", "content-length"].includes(entry[0]),
    );
    const sent = body === "" ? {} : { body: body.replaceAll(this.origin, this.target) };
    const answer = await fetch(this.target + path, { method, headers, redirect: "manual", ...sent });
    recorded.status = answer.status;
    const passed = ["content-type", "location", "content-location", "retry-after", "x-pagination-total"];
    for (const name of passed) {
      const value = answer.headers.get(name);
      if (value !== null) response.setHeader(name, this.proxied(value));
    }
    response.writeHead(answer.status).end(this.proxied(await answer.text()));
  }
}
