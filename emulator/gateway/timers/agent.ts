import type { InternalApi } from "../request/internal-api";
import type { AgentClient } from "../request/agent-client";

/** A deployment's agent server, as used for the gateway's own requests. */
export interface Agent {
  client: AgentClient;
  internalApi: InternalApi;
}

/** Finds the current agent. Returns `undefined` while no agent is running. */
export type FindAgent = () => Agent | undefined;
