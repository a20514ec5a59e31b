import * as pulumi from "@pulumi/pulumi";
import { Assistant } from "../agent-server/assistant";
import { Cron } from "../agent-server/cron";
import { StoreItems } from "../agent-server/store-items";
import { Deployment } from "../deployment";
import type { AgentServiceArgs } from "./agent-service-args";
import { namedMembers } from "./named-members";
import { verified } from "./verified";

/**
 * An agent with everything that belongs to it: a `Deployment` whose rollouts are verified, its assistants, its crons and
 * what is in its store. The deployment has the name of the component, the others are called `<component>-<name>`.
 * A member that fails leaves the outputs of the others as they are.
 *
 * @example
 * const support = new AgentService("support", {
 *   name: "support-agent",
 *   source: "github",
 *   sourceConfig: { repoUrl: "https://github.com/example/agents", deploymentType: "prod", buildOnPush: false },
 *   sourceRevisionConfig: { repoRef: "v1.4.0", graphConfigPath: "langgraph.json" },
 *   assistants: { brief: { graph: "agent", context: { style: "brief" } } },
 *   crons: { report: { assistant: "brief", schedule: "0 9 * * 1-5", input: { messages: [] } } },
 * });
 * export const url = support.url;
 */
export class AgentService extends pulumi.ComponentResource {
  /** Type token; policies match the component by it. */
  static readonly __pulumiType = "agentserver:index:AgentService";

  /** The deployment. */
  readonly deployment: Deployment;
  /** The assistants by their names in the program. */
  readonly assistants: Readonly<Record<string, Assistant>>;
  /** The crons by their names in the program. */
  readonly crons: Readonly<Record<string, Cron>>;
  /** The store items by their names in the program. */
  readonly memory: Readonly<Record<string, StoreItems>>;
  /** Address of the agent server; empty until the control plane reports it. */
  readonly url: pulumi.Output<string | undefined>;

  constructor(name: string, args: AgentServiceArgs, opts?: pulumi.ComponentResourceOptions) {
    const field = `AgentService "${name}"`;
    if (typeof (args as unknown) !== "object")
      throw new Error(`${field} needs arguments: name, source, sourceConfig, …`);
    // Before the first resource of it, so that faulty arguments change nothing.
    const { assistants, crons, memory, rollout, ...others } = args;
    const declared = {
      assistants: namedMembers(`${field}: assistants`, assistants),
      crons: namedMembers(`${field}: crons`, crons),
      memory: namedMembers(`${field}: memory`, memory),
    };
    for (const [key, cron] of declared.crons)
      if ((cron.assistant as unknown) === undefined)
        throw new Error(
          `${field}: crons.${key}.assistant is missing: name one of the service's assistants, or a graph.`,
        );
    super(AgentService.__pulumiType, name, {}, opts);
    const options = { parent: this };
    const deployment = new Deployment(name, { ...others, rollout: verified(rollout) }, options);
    const members = <Args, Made>(of: [string, Args][], make: (own: string, given: Args) => Made) =>
      Object.fromEntries(of.map(([key, given]) => [key, make(`${name}-${key}`, given)]));
    this.deployment = deployment;
    this.url = deployment.url;
    this.assistants = members(
      declared.assistants,
      (own, given) => new Assistant(own, { ...given, deployment }, options),
    );
    this.crons = members(
      declared.crons,
      (own, given) =>
        new Cron(own, { ...given, assistant: this.assistantOf(given.assistant), deployment }, options),
    );
    this.memory = members(
      declared.memory,
      (own, given) => new StoreItems(own, { ...given, deployment }, options),
    );
    this.registerOutputs({ deploymentId: deployment.id, url: deployment.url });
  }

  private assistantOf(named: Assistant | pulumi.Input<string>): Assistant | pulumi.Input<string> {
    if (typeof named !== "string" || !Object.hasOwn(this.assistants, named)) return named;
    return this.assistants[named]!;
  }
}
