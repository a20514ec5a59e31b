import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "../deployment";
import type { DeploymentSettings, SourceConfigArgs } from "../deployment-args";
import type { EnvironmentsArgs } from "./environments-args";
import { planEnvironments, type PlannedEnvironment } from "./environments-plan";
import { describeGate, type Gate } from "./gate";
import { valueIfKnown } from "../known-value";
import { isApproved, isImmutable } from "../../provider/promotion/artifact";
import { nextSource, type Promoted } from "./promotion";
import { runWithProgram } from "../registration";
import { findServed } from "./served";
import { withVerification } from "./with-verification";

/** Previous environment in the order of promotion. */
interface PreviousEnvironment {
  environment: string;
  /** Source that it has settled and verified; unknown in a preview of its change. */
  verified: pulumi.Output<Promoted | undefined>;
  /** Source that it will get, if known in advance. */
  intended: Promise<string | undefined>;
}

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
  /** URLs of the agent servers, by environment. */
  readonly urls: Readonly<Partial<Record<string, pulumi.Output<string | undefined>>>>;
  /** Verified commit or image that each environment serves; undefined for folders. */
  readonly serves: Readonly<Partial<Record<string, pulumi.Output<string | undefined>>>>;

  constructor(name: string, args: EnvironmentsArgs, opts?: pulumi.ComponentResourceOptions) {
    // Checked before the first resource is registered, so that invalid arguments change nothing.
    const all = planEnvironments(`Environments "${name}"`, args);
    super(Environments.__pulumiType, name, {}, opts);
    const deployments: Record<string, Deployment> = {};
    const verifiedIn: Record<string, pulumi.Output<Promoted | undefined>> = {};
    let before: PreviousEnvironment | undefined;
    for (const one of all) {
      const source = this.sourceOf(one, before, args);
      if (one.isDeclared) {
        const deployment = new Deployment(
          `${name}-${one.environment}`,
          { ...settingsOf(one, args), name: one.name, sourceRevisionConfig: source },
          { parent: this },
        );
        deployments[one.environment] = deployment;
        verifiedIn[one.environment] = verifiedSource(deployment, args.source);
      }
      before = {
        environment: one.environment,
        verified: verifiedIn[one.environment] ?? pulumi.output(undefined),
        intended: intendedSource(one, before, args),
      };
    }
    const each = <Value>(
      of: Record<string, Value>,
      to: (value: Value) => pulumi.Output<string | undefined>,
    ) => Object.fromEntries(Object.entries(of).map(([key, value]) => [key, to(value)]));
    this.deployments = deployments;
    this.urls = each(deployments, ({ url }) => url);
    this.serves = each(verifiedIn, (output) =>
      output.apply((promoted) => (args.source === "internal_source" ? undefined : promoted?.artifact)),
    );
    this.registerOutputs({ urls: this.urls, serves: this.serves });
  }

  /** Returns the source of an environment. */
  private sourceOf(
    one: PlannedEnvironment,
    before: PreviousEnvironment | undefined,
    { source, sourceRevisionConfig: configured }: EnvironmentsArgs,
  ): EnvironmentsArgs["sourceRevisionConfig"] {
    if (!before) return configured;
    const { environment, gate } = one;
    const promotion = { environment, before: before.environment, approved: gate?.approved };
    if (source === "internal_source") {
      const folder = pulumi
        .all([before.verified, configured.folder])
        .apply(([promoted, path]) => (promoted ? path! : nextSource(promotion).artifact));
      return { ...configured, folder };
    }
    // Requested at most once, and only if needed.
    let request: Promise<Promoted | undefined> | undefined;
    const findCurrent = () => (request ??= findServed(one.name, source, this));
    if (!one.isDeclared) runWithProgram(rejectImplicitDeletion(one, before, findCurrent));
    if (gate) runWithProgram(this.logGateState(one, gate, before, findCurrent));
    if (!one.isDeclared) return configured;
    const promote = async (verified: Promoted | undefined): Promise<Promoted> => {
      const passes = verified && (!gate || isApproved(gate.approved, verified.artifact));
      return nextSource({ ...promotion, verified, serves: passes ? undefined : await findCurrent() });
    };
    // If the served source is approved, it stays regardless of what is verified in the meantime. Previews can report
    // that, too.
    const next = gate
      ? pulumi
          .output(findCurrent())
          .apply((current) =>
            current && isApproved(gate.approved, current.artifact)
              ? pulumi.output(current)
              : before.verified.apply(promote),
          )
      : before.verified.apply(promote);
    return {
      ...(source === "github"
        ? { repoRef: next.apply(({ artifact }) => artifact) }
        : { imageUri: next.apply(({ artifact }) => artifact) }),
      ...(configured.graphConfigPath !== undefined && {
        graphConfigPath: pulumi
          .all([next, configured.graphConfigPath])
          .apply(([{ graphConfigPath }, path]) => graphConfigPath ?? path),
      }),
    };
  }

  /** Logs the state of a gate, in previews and updates. */
  private async logGateState(
    { environment }: PlannedEnvironment,
    gate: Gate,
    before: PreviousEnvironment,
    findCurrent: () => Promise<Promoted | undefined>,
  ): Promise<void> {
    const serves = await findCurrent();
    const known = await valueIfKnown(before.verified).catch(() => null);
    // The previous environment has failed, which is reported instead.
    if (known === null) return;
    const artifact = known ? known.value?.artifact : await before.intended;
    const next = artifact === undefined ? undefined : { artifact, isVerified: known !== undefined };
    const line = describeGate({ environment, before: before.environment, gate, serves, next });
    if (line !== undefined) await pulumi.log.info(line, this);
  }
}

/** Fails the program before anything is deleted if a missing approval would delete an existing deployment. */
async function rejectImplicitDeletion(
  { environment, name, gate }: PlannedEnvironment,
  before: PreviousEnvironment,
  findCurrent: () => Promise<Promoted | undefined>,
): Promise<void> {
  const serves = await findCurrent();
  if (!serves) return;
  const reason = gate
    ? `nothing is approved for it. To keep what it serves, ${gate.toApprove(serves.artifact)}`
    : `the previous environment "${before.environment}" does not exist yet. To keep it, first approve a source for "${before.environment}"`;
  throw new pulumi.RunError(
    `Environment "${environment}" exists (deployment "${name}"), but ${reason}. To delete it, remove it from environments.`,
  );
}

/** Returns the source that an environment will get, if known before the rollouts. */
async function intendedSource(
  { gate }: PlannedEnvironment,
  before: PreviousEnvironment | undefined,
  { sourceRevisionConfig: { repoRef, imageUri } }: EnvironmentsArgs,
): Promise<string | undefined> {
  if (before) {
    const artifact = await before.intended;
    return artifact !== undefined && (!gate || isApproved(gate.approved, artifact)) ? artifact : undefined;
  }
  const artifact = (await valueIfKnown<string | undefined>(repoRef ?? imageUri))?.value;
  return artifact !== undefined && isImmutable(artifact) ? artifact : undefined;
}

/** Returns the source that a deployment serves, if its rollout was awaited and verified. */
function verifiedSource(
  deployment: Deployment,
  source: EnvironmentsArgs["source"],
): pulumi.Output<Promoted | undefined> {
  // Not `awaitedRevision`: an output without a value counts as unknown in every preview.
  const { settledRevision, serving } = deployment;
  return pulumi.all([settledRevision, serving]).apply(([settled, served]): Promoted | undefined => {
    if (settled?.status !== "DEPLOYED" || served?.revisionId !== settled.id) return undefined;
    const { repoRef, imageUri, graphConfigPath } = served.sourceRevisionConfig;
    const artifact = source === "internal_source" ? settled.id : source === "github" ? repoRef : imageUri;
    return artifact ? { artifact, graphConfigPath } : undefined;
  });
}

/** Returns the settings of an environment's deployment, without its name and source. */
function settingsOf(
  { args: { environment: _environment, name: _name, gate: _gate, sourceConfig, ...own } }: PlannedEnvironment,
  {
    name: _base,
    environments: _environments,
    sourceConfig: common,
    sourceRevisionConfig: _given,
    ...others
  }: EnvironmentsArgs,
): DeploymentSettings & { sourceRevisionConfig: object; sourceConfig: SourceConfigArgs } {
  const rollout = withVerification(own.rollout ?? others.rollout);
  return {
    ...others,
    ...own,
    rollout,
    sourceConfig: { ...common, ...sourceConfig },
    sourceRevisionConfig: {},
  };
}
