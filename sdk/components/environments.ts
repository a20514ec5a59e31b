import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "../deployment";
import type { DeploymentSettings, SourceConfigArgs } from "../deployment-args";
import type { EnvironmentsArgs } from "./environments-args";
import { planned, type Planned } from "./environments-plan";
import { waitingLine, type Gate } from "./gate";
import { valueIfKnown } from "./known";
import { isImmutable, isApproved, taken, type Promoted } from "./promotion";
import { servedBy } from "./served";
import { verified } from "./verified";

/** An environment as the next one sees it. */
interface Before {
  environment: string;
  /** What it has settled and verified; unknown in a preview of its change. */
  verified: pulumi.Output<Promoted | undefined>;
  /** What it is to get, as far as that is known before it has it. */
  intended: Promise<string | undefined>;
}

/**
 * The same agent in several environments. The first one gets what the program says; what has settled and is verified in
 * one becomes the source of the next one, by commit, image or folder, so that none gets what the one before has not
 * verified. An environment with a gate stays at what it serves until that is approved, and previews say so.
 * A rollout that fails leaves the environments after it as they are. Each deployment is called `<component>-<environment>`.
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
  /** Type token; policies match the component by it. */
  static readonly __pulumiType = "agentserver:index:Environments";

  /** The deployments by their environments; one that waits for its first approval is not there yet. */
  readonly deployments: Readonly<Partial<Record<string, Deployment>>>;
  /** The addresses of their agent servers, by the same names. */
  readonly urls: Readonly<Partial<Record<string, pulumi.Output<string | undefined>>>>;
  /** The commit or image that each serves and has verified, by the same names; of folders nothing. */
  readonly serves: Readonly<Partial<Record<string, pulumi.Output<string | undefined>>>>;

  constructor(name: string, args: EnvironmentsArgs, opts?: pulumi.ComponentResourceOptions) {
    // Before the first resource of it, so that faulty arguments change nothing.
    const all = planned(`Environments "${name}"`, args);
    super(Environments.__pulumiType, name, {}, opts);
    const deployments: Record<string, Deployment> = {};
    const verifiedIn: Record<string, pulumi.Output<Promoted | undefined>> = {};
    let before: Before | undefined;
    for (const one of all) {
      const source = this.sourceOf(one, before, args);
      if (one.isDeclared) {
        const deployment = new Deployment(
          `${name}-${one.environment}`,
          { ...settingsOf(one, args), name: one.name, sourceRevisionConfig: source },
          { parent: this },
        );
        deployments[one.environment] = deployment;
        verifiedIn[one.environment] = verifiedBy(deployment, args.source);
      }
      before = {
        environment: one.environment,
        verified: verifiedIn[one.environment] ?? pulumi.output(undefined),
        intended: intendedFor(one, before, args),
      };
    }
    const each = <Value>(
      of: Record<string, Value>,
      to: (value: Value) => pulumi.Output<string | undefined>,
    ) => Object.fromEntries(Object.entries(of).map(([key, value]) => [key, to(value)]));
    this.deployments = deployments;
    this.urls = each(deployments, ({ url }) => url);
    this.serves = each(verifiedIn, (output) =>
      output.apply((promoted) => (args.source === "internal_source" ? undefined : promoted?.what)),
    );
    this.registerOutputs({ urls: this.urls, serves: this.serves });
  }

  /** What an environment is to be built from. */
  private sourceOf(
    one: Planned,
    before: Before | undefined,
    { source, sourceRevisionConfig: given }: EnvironmentsArgs,
  ): EnvironmentsArgs["sourceRevisionConfig"] {
    if (!before) return given;
    const { environment, gate } = one;
    const crossing = { environment, before: before.environment, approved: gate?.approved };
    if (source === "internal_source") {
      const folder = pulumi
        .all([before.verified, given.folder])
        .apply(([promoted, path]) => (promoted ? path! : taken(crossing).what));
      return { ...given, folder };
    }
    // Asked at most once, and only where it matters.
    let asked: Promise<Promoted | undefined> | undefined;
    const serves = () => (asked ??= servedBy(one.name, source));
    // Outputs that are part of the program: their failures are the program's.
    if (!one.isDeclared) pulumi.output(refuseToVanish(one, before, serves));
    if (gate) pulumi.output(this.sayWhatWaits(one, gate, before, serves));
    if (!one.isDeclared) return given;
    const passed = async (promoted: Promoted | undefined): Promise<Promoted> => {
      const passes = promoted && (!gate || isApproved(gate.approved, promoted.what));
      return taken({ ...crossing, verified: promoted, serves: passes ? undefined : await serves() });
    };
    // What is approved and served already stays, whatever is verified meanwhile: so the preview knows it, too.
    const takes = gate
      ? pulumi
          .output(serves())
          .apply((own) =>
            own && isApproved(gate.approved, own.what) ? pulumi.output(own) : before.verified.apply(passed),
          )
      : before.verified.apply(passed);
    return {
      ...(source === "github"
        ? { repoRef: takes.apply(({ what }) => what) }
        : { imageUri: takes.apply(({ what }) => what) }),
      ...(given.graphConfigPath !== undefined && {
        graphConfigPath: pulumi
          .all([takes, given.graphConfigPath])
          .apply(([{ graphConfigPath }, path]) => graphConfigPath ?? path),
      }),
    };
  }

  /** Says what waits at a gate, in previews and updates. */
  private async sayWhatWaits(
    { environment }: Planned,
    gate: Gate,
    before: Before,
    ask: () => Promise<Promoted | undefined>,
  ): Promise<void> {
    const serves = await ask();
    const known = await valueIfKnown(before.verified).catch(() => null);
    // The environment before it has failed; that is what there is to be read then.
    if (known === null) return;
    const what = known ? known.value?.what : await before.intended;
    const next = what === undefined ? undefined : { what, isVerified: known !== undefined };
    const line = waitingLine({ environment, before: before.environment, gate, serves, next });
    if (line !== undefined) await pulumi.log.info(line, this);
  }
}

/** A deployment that is there does not go for want of an approval: the program fails before anything is deleted. */
async function refuseToVanish(
  { environment, name, gate }: Planned,
  before: Before,
  ask: () => Promise<Promoted | undefined>,
): Promise<void> {
  const serves = await ask();
  if (!serves) return;
  const wayOut = gate
    ? `nothing is approved for it: ${gate.toApprove(serves.what)}, which it serves`
    : `environment "${before.environment}" before it is not made yet: approve something for that one first`;
  throw new pulumi.RunError(
    `Environment "${environment}" is there (deployment "${name}"), and ${wayOut}, or take it out of the environments to delete it.`,
  );
}

/** What an environment is to get, as far as that is known before anything is rolled out. */
async function intendedFor(
  { gate }: Planned,
  before: Before | undefined,
  { sourceRevisionConfig: { repoRef, imageUri } }: EnvironmentsArgs,
): Promise<string | undefined> {
  if (before) {
    const what = await before.intended;
    return what !== undefined && (!gate || isApproved(gate.approved, what)) ? what : undefined;
  }
  const what = (await valueIfKnown<string | undefined>(repoRef ?? imageUri))?.value;
  return what !== undefined && isImmutable(what) ? what : undefined;
}

/** What a deployment serves, if that is what was waited for and verified. */
function verifiedBy(
  deployment: Deployment,
  source: EnvironmentsArgs["source"],
): pulumi.Output<Promoted | undefined> {
  // Not `awaitedRevision`: an output that has no value counts as not known in every preview.
  const { settledRevision, serving } = deployment;
  return pulumi.all([settledRevision, serving]).apply(([settled, served]): Promoted | undefined => {
    if (settled?.status !== "DEPLOYED" || served?.revisionId !== settled.id) return undefined;
    const { repoRef, imageUri, graphConfigPath } = served.sourceRevisionConfig;
    const what = source === "internal_source" ? settled.id : source === "github" ? repoRef : imageUri;
    return what ? { what, graphConfigPath } : undefined;
  });
}

/** What an environment's deployment is to be, without its name and what it is built from. */
function settingsOf(
  { args: { environment: _environment, name: _name, gate: _gate, sourceConfig, ...own } }: Planned,
  {
    name: _base,
    environments: _environments,
    sourceConfig: common,
    sourceRevisionConfig: _given,
    ...others
  }: EnvironmentsArgs,
): DeploymentSettings & { sourceRevisionConfig: object; sourceConfig: SourceConfigArgs } {
  const rollout = verified(own.rollout ?? others.rollout);
  return {
    ...others,
    ...own,
    rollout,
    sourceConfig: { ...common, ...sourceConfig },
    sourceRevisionConfig: {},
  };
}
