import type { AssistantArgs } from "../agent-server/assistant";
import type { CronArgs } from "../agent-server/cron";
import type { StoreItemsArgs } from "../agent-server/store-items";
import type { DeploymentArgs } from "../deployment-args";

/** What is in a deployment, without saying in which one: that is the service's own. */
type Inside<Args> = Omit<Args, "deployment" | "connection">;

/** An assistant of an `AgentService`. */
export type ServiceAssistantArgs = Inside<AssistantArgs>;

/** A cron of an `AgentService`. Its `assistant` may be the name of one of the service's assistants. */
export type ServiceCronArgs = Inside<CronArgs>;

/** Store items of an `AgentService`. */
export type ServiceMemoryArgs = Inside<StoreItemsArgs>;

/**
 * Everything that can be said about an `AgentService`: what its deployment is, and what is in it. The deployment's
 * rollout is verified (`rollout.verify`), unless `rollout.wait` is false.
 */
export type AgentServiceArgs = DeploymentArgs & {
  /** The assistants by their names in the program. */
  assistants?: Readonly<Record<string, ServiceAssistantArgs>>;
  /** The crons by their names in the program. */
  crons?: Readonly<Record<string, ServiceCronArgs>>;
  /** What the agent's store holds from the start, by names in the program. */
  memory?: Readonly<Record<string, ServiceMemoryArgs>>;
};
