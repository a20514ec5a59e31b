import type { Backstage } from "../request/internal-api";
import type { Runtime } from "../request/agent-client";

/** Agent server of a deployment, for the gateway's own requests. */
export interface Agent {
  runtime: Runtime;
  backstage: Backstage;
}

/** Finds the current agent; `undefined` while none serves. */
export type FindAgent = () => Agent | undefined;
