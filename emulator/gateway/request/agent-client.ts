import type { IncomingMessage } from "node:http";
import { sendToAgent, readText } from "./agent-request";
import { Refusal, refusalOf } from "./refusal";

/** Number of seconds after which callers may retry if no agent responds. */
export const retryAfter = "2";

/** Client of a deployment's agent server that acts on behalf of one caller. */
export class AgentClient {
  /**
   * @param headers - Headers for the agent server: the relevant headers of the caller, and the token of the agent
   * server.
   */
  constructor(
    readonly origin: string,
    readonly headers: Record<string, string>,
    private readonly signal: AbortSignal,
  ) {}

  /** Sends a request. If the agent rejects it, rejects with the documented error. */
  async send(method: string, path: string, body?: unknown): Promise<IncomingMessage> {
    const answer = await this.raw(method, path, body);
    if ((answer.statusCode ?? 502) < 400) return answer;
    throw refusalOf(answer.statusCode ?? 502, await readText(answer));
  }

  async json<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.send(method, path, body);
    const text = await readText(answer).catch((error: unknown) => {
      throw error instanceof Refusal ? error : unreachable(error as NodeJS.ErrnoException);
    });
    return (text.trim() === "" ? null : JSON.parse(text)) as Answer;
  }

  /** Returns the response, regardless of its status. */
  async raw(method: string, path: string, body?: unknown): Promise<IncomingMessage> {
    const sent = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
    const headers = { ...this.headers };
    for (const name of ["content-length", "content-type"]) delete headers[name];
    if (sent)
      Object.assign(headers, { "content-type": "application/json", "content-length": `${sent.length}` });
    const { signal, origin } = this;
    try {
      return await sendToAgent({
        method,
        url: origin + path,
        headers,
        signal,
        ...(sent ? { body: sent } : {}),
      });
    } catch (error) {
      throw unreachable(error as NodeJS.ErrnoException);
    }
  }

  /** Returns a copy of the client that sends additional headers. */
  with(headers: Record<string, string>): AgentClient {
    return new AgentClient(this.origin, { ...this.headers, ...headers }, this.signal);
  }

  /** Returns a copy of the client whose requests fail if there is no response within the time limit. */
  within(milliseconds: number): AgentClient {
    return this.until(AbortSignal.any([this.signal, AbortSignal.timeout(milliseconds)]));
  }

  /** Returns a copy of the client with another abort signal. */
  until(signal: AbortSignal): AgentClient {
    return new AgentClient(this.origin, this.headers, signal);
  }
}

/** Returns the error for an agent server that cannot be reached. */
export function unreachable(error: NodeJS.ErrnoException): Refusal {
  if (error.code === "ECONNREFUSED") {
    const detail = "The agent server is not accepting connections; it may be restarting.";
    return new Refusal(503, detail, { "Retry-After": retryAfter });
  }
  return new Refusal(
    502,
    `The agent server closed the connection without a response (${error.code ?? error.name}).`,
  );
}
