import * as pulumi from "@pulumi/pulumi";
import { Assistant, type AssistantArgs } from "../agent-server/assistant";
import { Cron, type CronArgs } from "../agent-server/cron";
import { StoreItems, type StoreItemsArgs } from "../agent-server/store-items";
import { Deployment } from "../deployment";
import type { DeploymentArgs } from "../deployment-args";
import { verifiedRollout } from "./verified-rollout";

/** What a resource says besides where it is, which the service knows. */
type Within<Args> = Omit<Args, "deployment" | "connection">;

/** A cron of a service. */
export type ServiceCronArgs = Omit<Within<CronArgs>, "assistant"> & {
  /** Name of an assistant of the service; else an assistant's id, or the name of a graph. */
  assistant: CronArgs["assistant"];
};

/** An agent with everything that it needs. */
export interface AgentServiceArgs {
  /** The deployment. Its rollouts are verified, and rolled back where they fail, unless its `rollout` says otherwise. */
  deployment: DeploymentArgs;
  /** Its assistants, by names of their own. */
  assistants?: Readonly<Record<string, Within<AssistantArgs>>>;
  /** Its crons, by names of their own. */
  crons?: Readonly<Record<string, ServiceCronArgs>>;
  /** Items of its store, by names of their own. */
  storeItems?: Readonly<Record<string, Within<StoreItemsArgs>>>;
}

/**
 * A deployment whose rollouts are verified, with its assistants, crons and store items in one component. Resources are
 * called by the component and their names in it, such as `support-brief`. The members are there one by one, so that one
 * that fails hides no output of the others.
 *
 * @example
 * const support = new AgentService("support", {
 *   deployment: { name: "support", source: "github", sourceConfig, sourceRevisionConfig },
 *   assistants: { brief: { graph: "agent", context: { style: "brief" } } },
 *   crons: { report: { assistant: "brief", schedule: "0 9 * * 1-5", input: { messages: [] } } },
 * });
 * export const url = support.url;
 */
export class AgentService extends pulumi.ComponentResource {
  /** Type token; policies match the component by it. */
  static readonly __pulumiType = "agentserver:index:AgentService";

  readonly deployment: Deployment;
  /** Address of its agent server; empty until the control plane reports it. */
  readonly url: pulumi.Output<string | undefined>;
  /** The assistants, by their names in the service. */
  readonly assistants: Readonly<Record<string, Assistant>>;
  /** The crons, by their names in the service. */
  readonly crons: Readonly<Record<string, Cron>>;
  /** The store items, by their names in the service. */
  readonly storeItems: Readonly<Record<string, StoreItems>>;

  constructor(name: string, args: AgentServiceArgs, opts?: pulumi.ComponentResourceOptions) {
    refuseTwins(name, args);
    super(AgentService.__pulumiType, name, {}, opts);
    const { deployment, assistants, crons, storeItems } = args;
    const parent = { parent: this };
    this.deployment = new Deployment(
      name,
      { ...deployment, rollout: verifiedRollout(deployment.rollout) },
      parent,
    );
    const place = { deployment: this.deployment };
    this.assistants = each(
      assistants,
      (key, own) => new Assistant(`${name}-${key}`, { ...own, ...place }, parent),
    );
    this.crons = each(crons, (key, own) => {
      const assistant = this.assistantOf(own.assistant);
      return new Cron(`${name}-${key}`, { ...own, assistant, ...place } as CronArgs, parent);
    });
    this.storeItems = each(
      storeItems,
      (key, own) => new StoreItems(`${name}-${key}`, { ...own, ...place } as StoreItemsArgs, parent),
    );
    this.url = this.deployment.url;
    this.registerOutputs({ url: this.url });
  }

  private assistantOf(assistant: CronArgs["assistant"]): CronArgs["assistant"] {
    if (typeof assistant !== "string" || !Object.hasOwn(this.assistants, assistant)) return assistant;
    return this.assistants[assistant]!;
  }
}

/** Two members of one kind have different names anyway; an assistant and a cron of one name would read alike. */
function refuseTwins(service: string, { assistants, crons, storeItems }: AgentServiceArgs): void {
  const seen = new Map<string, string>();
  for (const [field, members] of Object.entries({ assistants, crons, storeItems }))
    for (const key of Object.keys(members ?? {})) {
      if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(key))
        throw new pulumi.RunError(
          `AgentService "${service}": ${field} has the name "${key}", which must begin with a letter or digit and continue with letters, digits, dots, dashes and underscores.`,
        );
      const other = seen.get(key);
      if (other !== undefined)
        throw new pulumi.RunError(
          `AgentService "${service}": ${other} and ${field} both have the name "${key}". Give one of them another name.`,
        );
      seen.set(key, field);
    }
}

function each<Own, Made>(
  members: Readonly<Record<string, Own>> | undefined,
  make: (key: string, own: Own) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(members ?? {}).map(([key, own]) => [key, make(key, own)]));
}
