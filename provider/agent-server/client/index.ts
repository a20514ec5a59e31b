import type { Guard, Transport } from "../../http/transport";
import { sendRequest } from "./ask";
import { AssistantsClient } from "./assistants";
import { CronsClient } from "./crons";
import { RunsClient } from "./runs";
import { StoreClient } from "./store";
import { ThreadsClient } from "./threads";

/** The endpoints of one deployment's agent server, grouped by resource. */
export class AgentServerClient {
  readonly assistants: AssistantsClient;
  readonly threads: ThreadsClient;
  readonly runs: RunsClient;
  readonly crons: CronsClient;
  readonly store: StoreClient;

  constructor(private readonly transport: Transport) {
    this.assistants = new AssistantsClient(transport);
    this.threads = new ThreadsClient(transport);
    this.runs = new RunsClient(transport);
    this.crons = new CronsClient(transport);
    this.store = new StoreClient(transport);
  }

  /** Returns a client for the same operation, with an additional check immediately before each write attempt. */
  guarded(guard: Guard): AgentServerClient {
    return new AgentServerClient(this.transport.guarded(guard));
  }

  /** Returns a client for the same operation, without checks before its writes. */
  unguarded(): AgentServerClient {
    return new AgentServerClient(this.transport.unguarded());
  }

  /** `GET /ok`; fails unless the server responds with 200. */
  async checkHealth(): Promise<void> {
    await sendRequest(this.transport, "GET", "/ok", undefined);
  }
}
