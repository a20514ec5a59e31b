import * as pulumi from "@pulumi/pulumi";
import type { Deployment } from "../deployment";
import type { SourceConfigArgs } from "../deployment-args";
import type { VerifiedArtifacts } from "../deployment-outputs";
import { promoteIn, type PromotedSource } from "../functions/promote";
import { valueIfKnown } from "../known-value";
import { runWithProgram } from "../registration";
import { AgentService } from "./agent-service";
import type { AgentServiceArgs } from "./agent-service-args";
import type { EnvironmentArgs, EnvironmentsArgs } from "./environments-args";
import { approvalOf, planEnvironments, type PlannedEnvironment } from "./environments-plan";

/** Previous environment in the order of promotion. */
interface PreviousEnvironment {
  environment: string;
  /** Artifacts that it has verified; unknown in a preview of its change. */
  verified: pulumi.Output<VerifiedArtifacts>;
}

type Source = EnvironmentsArgs["sourceRevisionConfig"];

/**
 * Deploys the same agent to several environments. The first environment gets the source in the program; each of the
 * others gets the source that the previous environment has settled and verified, by commit, image or folder. An
 * environment with a gate keeps its source until a new one is approved, and previews report it. If a rollout fails, the
 * environments after it are not changed. Each deployment is called `<component>-<environment>`.
 *
 * @example
 * const support = new Environments("support", {
 *   name: "support-agent",
 *   source: "github",
 *   sourceConfig: { repoUrl: "https://github.com/example/agents", deploymentType: "prod", buildOnPush: false },
 *   sourceRevisionConfig: { repoRef: config.require("commit"), graphConfigPath: "langgraph.json" },
 *   environments: [
 *     { environment: "development" },
 *     { environment: "staging" },
 *     { environment: "production", gate: { approvedFrom: "approved" } },
 *   ],
 * });
 */
export class Environments extends pulumi.ComponentResource {
  /** Type token, by which policies match the component. */
  static readonly __pulumiType = "agentserver:index:Environments";

  /** Deployments by environment, without those that wait for their first approval. */
  readonly deployments: Readonly<Partial<Record<string, Deployment>>>;
  /** Deployments with their contents, by environment. */
  readonly services: Readonly<Partial<Record<string, AgentService>>>;
  /** URLs of the agent servers, by environment. */
  readonly urls: Readonly<Partial<Record<string, pulumi.Output<string | undefined>>>>;
  /** Verified commit or image that each environment serves; undefined for folders. */
  readonly serves: Readonly<Partial<Record<string, pulumi.Output<string | undefined>>>>;

  constructor(name: string, args: EnvironmentsArgs, opts?: pulumi.ComponentResourceOptions) {
    // Checked before the first resource is registered, so that invalid arguments change nothing.
    const all = planEnvironments(`Environments "${name}"`, args);
    super(Environments.__pulumiType, name, {}, opts);
    const services: Record<string, AgentService> = {};
    let before: PreviousEnvironment | undefined;
    for (const one of all) {
      const { environment } = one;
      const source = before ? this.promoteFrom(before, one, args) : args.sourceRevisionConfig;
      if (one.isDeclared)
        services[environment] = new AgentService(
          `${name}-${environment}`,
          { ...settingsOf(one, args), name: one.name, sourceRevisionConfig: source },
          { parent: this },
        );
      before = { environment, verified: pulumi.output(services[environment]?.verified ?? { history: [] }) };
    }
    const each = <Value>(to: (service: AgentService) => Value) =>
      Object.fromEntries(Object.entries(services).map(([key, service]) => [key, to(service)]));
    this.services = services;
    this.deployments = each(({ deployment }) => deployment);
    this.urls = each(({ url }) => url);
    this.serves = each(({ verified }) =>
      verified.apply(({ current }) =>
        current?.source === "internal_source" ? undefined : current?.artifact,
      ),
    );
    this.registerOutputs({ urls: this.urls, serves: this.serves });
  }

  /** Returns the source of an environment, and reports what waits. */
  private promoteFrom(
    before: PreviousEnvironment,
    { environment, name, args: { gate }, isDeclared }: PlannedEnvironment,
    { source, sourceRevisionConfig: configured }: EnvironmentsArgs,
  ): Source | pulumi.Output<Source> {
    if (source === "internal_source") {
      const folder = pulumi.all([before.verified, configured.folder]).apply(([{ current }, path]) => {
        requireVerified(current, before, environment);
        return path!;
      });
      return { ...configured, folder };
    }
    const promotion = promoteIn(
      { component: this, toName: environment, mayBeAbsent: !isDeclared },
      { from: before.verified, fromName: before.environment, to: { name }, gate },
    );
    if (isDeclared)
      return promotion.apply((promoted) => ({
        ...promoted!.sourceRevisionConfig,
        ...(promoted!.sourceRevisionConfig.graphConfigPath === undefined && {
          graphConfigPath: configured.graphConfigPath,
        }),
      }));
    runWithProgram(rejectImplicitDeletion(promotion, { environment, name, gate }));
    return configured;
  }
}

/** Fails the program before a missing approval deletes an existing deployment. */
async function rejectImplicitDeletion(
  promotion: pulumi.Output<PromotedSource | undefined>,
  { environment, name, gate }: Pick<EnvironmentArgs, "gate"> & { environment: string; name: string },
): Promise<void> {
  const kept = (await valueIfKnown(promotion))?.value;
  if (!kept) return;
  const approval = approvalOf(gate);
  const reason = approval
    ? `nothing is approved for it. To keep its current source, ${approval.toApprove(kept.artifact)}`
    : "an environment before it does not exist yet. To keep it, approve a source for that environment";
  throw new pulumi.RunError(
    `Environment "${environment}" exists (deployment "${name}"), but ${reason}. To delete it, remove it from environments.`,
  );
}

/** Fails the program if the previous environment does not serve a verified folder. */
function requireVerified(
  current: object | undefined,
  before: PreviousEnvironment,
  environment: string,
): void {
  if (current) return;
  throw new pulumi.RunError(
    `Nothing can be promoted to ${environment}: the revision that ${before.environment} serves is not verified.`,
  );
}

/** Returns the settings and contents of an environment, without its name and source. */
function settingsOf(
  { args: { environment: _environment, name: _name, gate: _gate, sourceConfig, ...own } }: PlannedEnvironment,
  {
    name: _base,
    environments: _environments,
    sourceConfig: common,
    sourceRevisionConfig: _given,
    ...others
  }: EnvironmentsArgs,
): Omit<AgentServiceArgs, "name" | "agent" | "sourceRevisionConfig"> & { sourceConfig: SourceConfigArgs } {
  return {
    ...others,
    ...own,
    assistants: { ...others.assistants, ...own.assistants },
    crons: { ...others.crons, ...own.crons },
    memory: { ...others.memory, ...own.memory },
    sourceConfig: { ...common, ...sourceConfig },
  };
}
