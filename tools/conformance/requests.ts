import type { DialectName } from "../../wire";
import type { Redaction } from "./redaction";

/** Maximum time for a response, in milliseconds of real time. */
const answerTimeoutMs = 60_000;
/** Maximum length of a body in the report. */
const longestBody = 2_000;
/** Matches the names of the response headers that the report contains. */
const shownHeaders = /^(content-type|location|retry-after|(x-)?rate-?limit.*|x-pagination-.*)$/i;

/** Connection to the control plane under test. */
export interface Connection {
  baseUrl: string;
  apiKey: string;
  tenantId?: string;
  dialect: DialectName;
}

/** Request and response in the report, without secrets. */
export interface Exchange {
  method: string;
  /** Path and query of the request. For a request to another server, its address without the query. */
  address: string;
  body?: string;
  /** Status of the response; undefined if there was no response. */
  status?: number;
  headers: Record<string, string>;
  answer: string;
}

/** Response with its parsed body. A body that is not JSON is a string. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Body of the response, which may have any structure. */
  body: unknown;
  exchange: Exchange;
}

interface RequestOptions {
  body?: unknown;
  /** Bytes to send instead of a JSON body. */
  bytes?: Uint8Array;
  /** Additional headers; undefined omits a header that is sent by default. */
  headers?: Record<string, string | undefined>;
  /** True if the address is a complete URL. No credentials are sent to such an address. */
  isForeign?: boolean;
}

/**
 * Sends requests with `fetch`, and records them. Deliberately independent of the provider's client, which would hide
 * differences. Does not retry requests or follow redirects.
 */
export class Requests {
  readonly exchanges: Exchange[] = [];

  constructor(
    readonly connection: Connection,
    readonly redaction: Redaction,
    private readonly signal: AbortSignal,
  ) {}

  /** Returns a client that has a different abort signal, and adds to the same record of requests. */
  withSignal(signal: AbortSignal): Requests {
    const other = new Requests(this.connection, this.redaction, signal);
    Object.defineProperty(other, "exchanges", { value: this.exchanges });
    return other;
  }

  /** Sends a request to the control plane, or to an agent server if the address is a URL. */
  async send(method: string, address: string, options: RequestOptions = {}): Promise<Answer> {
    const url = /^https?:/.test(address) ? address : this.connection.baseUrl + address;
    const headers = this.headersFor(options);
    const payload = options.bytes ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const exchange: Exchange = {
      method,
      address: this.redaction.text(address),
      ...(options.body !== undefined && { body: this.shown(options.body, address) }),
      ...(options.bytes && { body: `<${options.bytes.length} bytes>` }),
      headers: {},
      answer: "",
    };
    this.exchanges.push(exchange);
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        headers,
        redirect: "manual",
        signal: AbortSignal.any([this.signal, AbortSignal.timeout(answerTimeoutMs)]),
        ...(payload !== undefined && { body: payload as string | Uint8Array<ArrayBuffer> }),
      });
      text = await response.text();
    } catch (error) {
      this.signal.throwIfAborted();
      exchange.answer = `no response: ${this.redaction.text(reasonOf(error))}`;
      throw new Error(`${method} ${exchange.address}: ${exchange.answer}`, { cause: error });
    }
    const body = parsed(text);
    exchange.status = response.status;
    exchange.answer = text === "" ? "" : this.shown(body, address);
    for (const [name, value] of response.headers)
      if (shownHeaders.test(name)) exchange.headers[name] = this.redaction.text(value);
    return { status: response.status, headers: response.headers, body, exchange };
  }

  private headersFor({ body, headers, isForeign }: RequestOptions): Record<string, string> {
    const { apiKey, tenantId } = this.connection;
    const all: Record<string, string | undefined> = {
      ...(!isForeign && { "X-Api-Key": apiKey, ...(tenantId !== undefined && { "X-Tenant-Id": tenantId }) }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    };
    return Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  }

  private shown(body: unknown, address: string): string {
    const redacted = this.redaction.body(body, address);
    const text = typeof redacted === "string" ? redacted : JSON.stringify(redacted);
    return text.length > longestBody ? `${text.slice(0, longestBody)}… (${text.length} characters)` : text;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
