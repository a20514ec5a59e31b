import type { Clock } from "../../clock";
import type { DeploymentTimers } from "../timers/deployment-timers";
import type { Metrics } from "../system/metrics";
import type { InternalApi } from "./internal-api";
import type { AgentClient } from "./agent-client";

/**
 * A request to the URL of a deployment, together with its agent and the data that the gateway stores for the
 * deployment.
 */
export interface RequestContext {
  deploymentId: string;
  /** Path of the deployment's URL, without a trailing slash. Empty on the deployment's own origin. */
  base: string;
  /** Path of the request, relative to the URL of the deployment. */
  path: string;
  client: AgentClient;
  internalApi: InternalApi;
  clock: Clock;
  metrics: Metrics;
  /** Returns the data that the gateway itself stores for the deployment. */
  timers: () => DeploymentTimers;
}
