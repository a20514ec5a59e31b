import type { Backstage } from "../call/backstage";
import type { Runtime } from "../call/runtime";

/** The agent server of a deployment, for what the gateway does by itself. */
export interface Agent {
  runtime: Runtime;
  backstage: Backstage;
}

/** Finds the agent as it is now; undefined while none serves. */
export type FindAgent = () => Agent | undefined;
