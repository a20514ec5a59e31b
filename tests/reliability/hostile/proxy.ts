import { createServer, request as forward, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Identity } from "./certificates";

const proxies: Proxy[] = [];

afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
});

/** An HTTP or HTTPS proxy that forwards all tunnels and plain requests to one local port, regardless of their host. */
export class Proxy {
  /** Requests that the proxy has received, such as `CONNECT control-plane.test:443`. */
  readonly asked: string[] = [];
  readonly credentials: (string | undefined)[] = [];
  /** Status that is returned instead of opening a tunnel. */
  refuses: number | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly scheme: "http" | "https",
  ) {
    proxies.push(this);
  }

  /** @param tls makes it an HTTPS proxy for `localhost` */
  static async start(targetPort: number, tls?: Identity): Promise<Proxy> {
    const server = tls ? createTlsServer(tls) : createServer();
    const proxy = new Proxy(server, tls ? "https" : "http");
    for (const event of ["connection", "secureConnection"])
      server.on(event, (socket: Socket) => proxy.sockets.add(socket.on("error", () => {})));
    server.on("tlsClientError", () => {});
    server.on("connect", (request, client, head) => {
      proxy.note(`CONNECT ${request.url}`, request.headers["proxy-authorization"]);
      if (proxy.refuses)
        return client.end(`HTTP/1.1 ${proxy.refuses} No\r\ncontent-length: 10\r\n\r\n{"id":"x"}`);
      const target = connect(targetPort, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        target.write(head);
        target.pipe(client).pipe(target);
      });
      proxy.sockets.add(target.on("error", () => client.destroy()));
    });
    server.on("request", (request, response) => {
      proxy.note(`${request.method} ${request.url}`, request.headers["proxy-authorization"]);
      const { pathname, search } = new URL(request.url!);
      const options = {
        port: targetPort,
        method: request.method,
        path: pathname + search,
        headers: request.headers,
      };
      request.pipe(
        forward(options, (answer) => answer.pipe(response.writeHead(answer.statusCode!, answer.headers))),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Returns the URL of the proxy with a user name and a password. */
  addressFor(user: string): string {
    const host = this.scheme === "https" ? "localhost" : "127.0.0.1";
    return `${this.scheme}://${user}@${host}:${this.port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private note(asked: string, credentials: string | undefined): void {
    this.asked.push(asked);
    this.credentials.push(credentials);
  }
}
