import type { Backstage } from "../call/backstage";
import type { Runtime } from "../call/runtime";

/** Agent server of a deployment, for the gateway's own requests. */
export interface Agent {
  runtime: Runtime;
  backstage: Backstage;
}

/** Finds the current agent; `undefined` while none serves. */
export type FindAgent = () => Agent | undefined;
