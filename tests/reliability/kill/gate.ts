import { once } from "node:events";
import {
  createServer,
  request as send,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request in a run: its type and its number. */
export interface Place {
  /** Method and path without IDs, such as `GET /v2/deployments/:id`. */
  request: string;
  /** Number of the request among those of the same type, starting at 1. */
  occurrence: number;
}

/** A complete response of the control plane. */
export interface Reply {
  status: number;
  /** Alternating header names and values, as received. */
  headers: string[];
  body: Buffer;
}

/** A request at the gate that a fault applies to. */
export interface Exchange {
  /** Sends the request to the control plane. Resolves with the complete response. */
  forward(): Promise<Reply>;
  /** Resolves when the complete request has been forwarded. */
  sent: Promise<void>;
  /** Sends the response to the client. Resolves when the operating system has accepted it. */
  answer(reply: Reply): Promise<void>;
  /** Sends this number of bytes of the response, including its head, and closes the connection. */
  cut(reply: Reply, bytes: (reply: Reply) => number): Promise<void>;
  /** Resets the client's connection. */
  drop(): void;
}

/** Action that is performed for a single request instead of forwarding it. */
export interface GateFault {
  at: Place;
  act(exchange: Exchange): Promise<void>;
}

/**
 * Proxy of a control plane. It forwards requests, identifies each by its position in the run, and applies a fault to
 * one of them.
 */
export class Gate {
  private readonly server: Server;
  private fault?: GateFault;
  private port = 0;
  private pending?: Promise<void>;
  /** Requests since the last call of `watch`, in order. */
  seen: Place[] = [];

  private constructor(private readonly target: () => string) {
    this.server = createServer(this.handle);
  }

  /** @param target returns the current address of the control plane */
  static async open(target: () => string): Promise<Gate> {
    const gate = new Gate(target);
    await gate.open();
    return gate;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts a new count of requests, with this fault. */
  watch(fault?: GateFault): void {
    this.seen = [];
    this.fault = fault;
    this.pending = undefined;
  }

  /** Resolves when the fault is complete, with true if it occurred. */
  async faultOccurred(): Promise<boolean> {
    await this.pending;
    return this.pending !== undefined;
  }

  /** Listens again on the same address after `refuseConnections`. */
  async open(): Promise<void> {
    this.server.listen(this.port, "127.0.0.1");
    await once(this.server, "listening");
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Refuses connections, as if the process were not running. */
  async refuseConnections(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private readonly handle: RequestListener = (request, response) => {
    const exchange = new GatedExchange(request, response, this.target);
    const kind = kindOf(request);
    const occurrence = this.seen.filter((place) => place.request === kind).length + 1;
    this.seen.push({ request: kind, occurrence });
    const { fault } = this;
    const isStruck = fault?.at.request === kind && fault.at.occurrence === occurrence;
    const handled = isStruck ? fault.act(exchange) : exchange.pass();
    if (isStruck) this.pending = handled;
    handled.catch(() => exchange.drop());
  };
}

class GatedExchange implements Exchange {
  readonly sent: Promise<void>;
  private readonly body: Promise<Buffer>;
  private tellSent!: () => void;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly target: () => string,
  ) {
    this.sent = new Promise((resolve) => (this.tellSent = resolve));
    this.body = buffer(request);
    // The request of a killed client is discarded.
    this.body.catch(() => undefined);
    response.on("error", () => undefined);
  }

  async pass(): Promise<void> {
    await this.answer(await this.forward());
  }

  async forward(): Promise<Reply> {
    const { method, url, rawHeaders } = this.request;
    const sent = send(this.target() + url, { method, headers: rawHeaders, agent: false });
    sent.end(await this.body, this.tellSent);
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    return { status: answer.statusCode!, headers: answer.rawHeaders, body: await buffer(answer) };
  }

  async answer({ status, headers, body }: Reply): Promise<void> {
    if (this.response.destroyed) return;
    this.response.writeHead(status, headers);
    await new Promise((resolve) => {
      this.response.on("close", resolve);
      this.response.end(body, () => resolve(undefined));
    });
  }

  async cut(reply: Reply, bytes: (reply: Reply) => number): Promise<void> {
    const { socket } = this.request;
    const whole = Buffer.concat([headOf(reply), reply.body]);
    await new Promise((resolve) => {
      socket.on("close", resolve);
      socket.end(whole.subarray(0, bytes(reply)));
    });
  }

  drop(): void {
    this.request.socket.resetAndDestroy();
  }
}

/** Returns the status line and the headers of a response as they are sent. */
export function headOf({ status, headers }: Reply): Buffer {
  const lines = headers.flatMap((name, place) => (place % 2 ? [] : [`${name}: ${headers[place + 1]}`]));
  return Buffer.from([`HTTP/1.1 ${status} `, ...lines, "", ""].join("\r\n"));
}

function kindOf({ method, url = "" }: IncomingMessage): string {
  const { pathname, searchParams } = new URL(url, "http://gate");
  const path = pathname
    .replace(/^\/api-host/, "")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, ":id");
  const names = [...searchParams.keys()].join("&");
  return `${method} ${path}${names ? `?${names}` : ""}`;
}
