import type { IncomingMessage } from "node:http";
import { internalApiHeaders } from "../../rollout/internal-api-headers";
import type { InternalApiAddress } from "../../rollout/rollout";
import { sendToAgent, readText } from "./agent-request";
import { Refusal, refusalOf } from "./refusal";
import { unreachable } from "./agent-client";

/** Information that an agent server reports about itself. */
export interface AgentFacts {
  graphs: string[];
  /** The `http` section of the project's configuration. */
  http: Record<string, unknown>;
  /** True if the project authenticates requests itself. */
  own_authentication: boolean;
  workers: number;
  queue: { pending: number; running: number };
}

/** An assistant, with the fields that are required to draw its graph. */
export interface DrawnAssistant {
  assistant_id: string;
  graph_id: string;
  config: object;
}

/** Internal API of an agent server, which only the control plane can reach. */
export class InternalApi {
  constructor(
    private readonly address: InternalApiAddress | undefined,
    private readonly signal: AbortSignal,
  ) {}

  /** True if the agent server has an internal API. */
  get open(): boolean {
    return this.address !== undefined;
  }

  /** True if the operations of the agent server itself behave as documented. */
  get documented(): boolean {
    return this.address?.documented === true;
  }

  facts(): Promise<AgentFacts> {
    return this.#json("GET", "/facts");
  }

  /**
   * Returns the nodes and edges of an assistant's graph and its subgraphs. If `xray` is a number, it limits the depth
   * to which subgraphs are expanded.
   */
  drawGraph(assistant: DrawnAssistant, xray: boolean | number): Promise<object> {
    const { assistant_id, graph_id, config } = assistant;
    return this.#json("POST", "/graphs/draw", { assistant_id, graph_id, config, xray });
  }

  /** Deletes all checkpoints of a thread except the latest. */
  async keepLatest(threadId: string): Promise<void> {
    await this.#json("POST", "/threads/keep-latest", { thread_id: threadId });
  }

  /** Streams the events on a thread as server-sent events, starting now or after the event with the number `last`. */
  threadStream(threadId: string, modes: string[], last: string | undefined): Promise<IncomingMessage> {
    const query = new URLSearchParams(modes.map((mode): [string, string] => ["mode", mode]));
    if (last !== undefined) query.set("last", last);
    return this.#send("GET", `/threads/${threadId}/stream?${query.toString()}`);
  }

  async #json<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await this.#send(method, path, body);
    const text = await readText(answer);
    if (answer.statusCode === 200) return JSON.parse(text) as Answer;
    if (answer.statusCode === 500)
      throw new Refusal(500, `The agent server could not process the request: ${text}`);
    throw refusalOf(answer.statusCode ?? 502, text);
  }

  async #send(method: string, path: string, body?: unknown): Promise<IncomingMessage> {
    if (!this.address)
      throw new Refusal(
        503,
        "This operation is only available for agents that the local control plane builds.",
      );
    const { origin } = this.address;
    const sent = body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) };
    const headers = internalApiHeaders(this.address);
    try {
      return await sendToAgent({ method, url: origin + path, headers, signal: this.signal, ...sent });
    } catch (error) {
      throw unreachable(error as NodeJS.ErrnoException);
    }
  }
}
