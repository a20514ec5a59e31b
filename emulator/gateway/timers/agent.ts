import type { InternalApi } from "../request/internal-api";
import type { AgentClient } from "../request/agent-client";

/** Agent server of a deployment, to which the gateway sends its own requests. */
export interface Agent {
  client: AgentClient;
  internalApi: InternalApi;
}

/** Finds the current agent. Returns `undefined` while no agent is running. */
export type FindAgent = () => Agent | undefined;
