import type { AssistantArgs } from "../agent-server/assistant";
import type { CronArgs } from "../agent-server/cron";
import type { StoreItemsArgs } from "../agent-server/store-items";
import type { DeploymentArgs } from "../deployment-args";

/** Arguments of a resource in a deployment, except for the deployment itself, which the service provides. */
type Inside<Args> = Omit<Args, "deployment" | "connection">;

/** Arguments of an assistant of an `AgentService`. */
export type ServiceAssistantArgs = Inside<AssistantArgs>;

/** Arguments of a cron of an `AgentService`. Its `assistant` may be the name of one of the service's assistants. */
export type ServiceCronArgs = Inside<CronArgs>;

/** Arguments of the store items of an `AgentService`. */
export type ServiceMemoryArgs = Inside<StoreItemsArgs>;

/** Resources that an `AgentService` creates in its deployment. */
export interface ServiceContents {
  /** Assistants, keyed by their names in the program. */
  assistants?: Readonly<Record<string, ServiceAssistantArgs>>;
  /** Crons, keyed by their names in the program. */
  crons?: Readonly<Record<string, ServiceCronArgs>>;
  /** Initial contents of the agent's store, keyed by their names in the program. */
  memory?: Readonly<Record<string, ServiceMemoryArgs>>;
}

/**
 * Arguments of an `AgentService`: its deployment and the contents of the deployment. Rollouts are verified
 * (`rollout.verify`) unless `rollout.wait` is false.
 */
export type AgentServiceArgs = DeploymentArgs & ServiceContents;
