import type { Clock } from "../../clock";
import type { Book } from "../timers/deployment-timers";
import type { Metrics } from "../system/metrics";
import type { Backstage } from "./internal-api";
import type { Runtime } from "./agent-client";

/**
 * One request to a deployment's URL: the agent that it reaches, and the data that the gateway keeps for the deployment.
 */
export interface Call {
  deploymentId: string;
  /** Path of the deployment's URL, without a trailing slash; empty on the deployment's own origin. */
  base: string;
  /** Path of the request below the deployment's URL. */
  path: string;
  runtime: Runtime;
  backstage: Backstage;
  clock: Clock;
  metrics: Metrics;
  /** Returns the data that the gateway itself stores for the deployment. */
  book: () => Book;
}
