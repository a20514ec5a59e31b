import * as pulumi from "@pulumi/pulumi";
import { Assistant } from "../agent-server/assistant";
import { Cron } from "../agent-server/cron";
import { StoreItems } from "../agent-server/store-items";
import { Deployment } from "../deployment";
import type { VerifiedArtifacts } from "../deployment-outputs";
import type { AgentServiceArgs } from "./agent-service-args";
import { namedMembers } from "./named-members";
import { withVerification } from "./with-verification";

/**
 * Agent with all of its resources: a `Deployment` with verified rollouts, its assistants, its crons, and the contents
 * of its store. The deployment has the name of the component; the other resources are named `<component>-<name>`. If a
 * resource fails, the outputs of the others are not affected.
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
  /** Type token, which policies use to match the component. */
  static readonly __pulumiType = "agentserver:index:AgentService";

  /** Deployment of the agent. */
  readonly deployment: Deployment;
  /** Assistants, keyed by their names in the program. */
  readonly assistants: Readonly<Record<string, Assistant>>;
  /** Crons, keyed by their names in the program. */
  readonly crons: Readonly<Record<string, Cron>>;
  /** Store items, keyed by their names in the program. */
  readonly memory: Readonly<Record<string, StoreItems>>;
  /** URL of the agent server; undefined until the control plane reports it. */
  readonly url: pulumi.Output<string | undefined>;
  /** Verified artifact that the deployment serves, and the artifacts that it has verified before. */
  readonly verified: pulumi.Output<VerifiedArtifacts>;

  constructor(name: string, args: AgentServiceArgs, opts?: pulumi.ComponentResourceOptions) {
    const field = `AgentService "${name}"`;
    if (typeof (args as unknown) !== "object")
      throw new Error(`${field} needs arguments: name, source, sourceConfig, …`);
    // Checked before the first resource is registered, so that invalid arguments change nothing.
    const { assistants, crons, memory, rollout, ...others } = args;
    const declared = {
      assistants: namedMembers(`${field}: assistants`, assistants),
      crons: namedMembers(`${field}: crons`, crons),
      memory: namedMembers(`${field}: memory`, memory),
    };
    for (const [key, cron] of declared.crons)
      if ((cron.assistant as unknown) === undefined)
        throw new Error(
          `${field}: crons.${key}.assistant is missing: specify one of the service's assistants or a graph.`,
        );
    super(AgentService.__pulumiType, name, {}, opts);
    const options = { parent: this };
    const deployment = new Deployment(name, { ...others, rollout: withVerification(rollout) }, options);
    const createEach = <Args, Member>(of: [string, Args][], create: (name: string, args: Args) => Member) =>
      Object.fromEntries(of.map(([key, memberArgs]) => [key, create(`${name}-${key}`, memberArgs)]));
    this.deployment = deployment;
    this.url = deployment.url;
    this.verified = deployment.verified;
    this.assistants = createEach(
      declared.assistants,
      (memberName, memberArgs) => new Assistant(memberName, { ...memberArgs, deployment }, options),
    );
    this.crons = createEach(
      declared.crons,
      (memberName, memberArgs) =>
        new Cron(
          memberName,
          { ...memberArgs, assistant: this.resolveAssistant(memberArgs.assistant), deployment },
          options,
        ),
    );
    this.memory = createEach(
      declared.memory,
      (memberName, memberArgs) => new StoreItems(memberName, { ...memberArgs, deployment }, options),
    );
    this.registerOutputs({ deploymentId: deployment.id, url: deployment.url });
  }

  private resolveAssistant(assistant: Assistant | pulumi.Input<string>): Assistant | pulumi.Input<string> {
    if (typeof assistant !== "string" || !Object.hasOwn(this.assistants, assistant)) return assistant;
    return this.assistants[assistant]!;
  }
}
