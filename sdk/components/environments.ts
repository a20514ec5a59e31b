import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "../deployment";
import type { SourceRevisionConfigArgs } from "../deployment-args";
import type { EnvironmentArgs, EnvironmentsArgs } from "./environments-args";
import { approvedFor, type PromotedField, type Promotion, verifiedBefore } from "./promotion";
import { verifiedRollout } from "./verified-rollout";

/** What says what runs, by kind of source. */
const promotedFields: Readonly<Record<string, PromotedField>> = {
  github: "repoRef",
  external_docker: "imageUri",
  internal_docker: "imageUri",
};

/**
 * The same agent in several environments, one deployment each, with promotion: what has settled and was verified in one, by
 * commit or image, becomes what the next one runs, in the same update. An environment with `approved` has a gate: it runs
 * what is approved, and the preview says what waits. Where an environment fails, those after it stay as they are.
 *
 * @example
 * const environments = new Environments("support", {
 *   agent: "support",
 *   deployment: { source: "github", sourceConfig, sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" } },
 *   environments: [
 *     { name: "development" },
 *     { name: "staging" },
 *     { name: "production", approved: config.require("approved"), deletionProtection: true },
 *   ],
 * });
 */
export class Environments extends pulumi.ComponentResource {
  /** Type token; policies match the component by it. */
  static readonly __pulumiType = "agentserver:index:Environments";

  /** The deployments, by the names of their environments. */
  readonly deployments: Readonly<Record<string, Deployment>>;
  /** What each environment runs: a commit, a tag or an image. */
  readonly running: Readonly<Record<string, pulumi.Output<string | undefined>>>;

  constructor(name: string, args: EnvironmentsArgs, opts?: pulumi.ComponentResourceOptions) {
    const component = `Environments "${name}"`;
    const field = fieldOf(component, args);
    refuseFaults(component, args);
    super(Environments.__pulumiType, name, {}, opts);
    const deployments: Record<string, Deployment> = {};
    let before: Promotion["before"] | undefined;
    for (const environment of args.environments) {
      const deploymentName = environment.deploymentName ?? `${args.agent}-${environment.name}`;
      const promotion = before && {
        component,
        field,
        environment: environment.name,
        deploymentName,
        before,
        resource: this,
      };
      const deployment = new Deployment(
        `${name}-${environment.name}`,
        {
          ...settingsOf(args, environment),
          name: deploymentName,
          sourceRevisionConfig: sourceOf(args.deployment.sourceRevisionConfig, environment, field, promotion),
        },
        { parent: this },
      );
      deployments[environment.name] = deployment;
      before = { environment: environment.name, deployment };
    }
    this.deployments = deployments;
    this.running = Object.fromEntries(
      Object.entries(deployments).map(([key, { serving }]) => [
        key,
        serving.apply((served) => served?.sourceRevisionConfig[field]),
      ]),
    );
    // One by one: an environment that fails hides nothing of the others.
    this.registerOutputs(this.running);
  }
}

function fieldOf(component: string, { deployment }: EnvironmentsArgs): PromotedField {
  const field = promotedFields[deployment.source];
  if (field !== undefined && deployment.sourceRevisionConfig.folder === undefined) return field;
  const known = Object.keys(promotedFields).join(", ");
  throw new pulumi.RunError(
    `${component}: deployment.source is "${deployment.source}", which has neither a commit nor an image that could be promoted. Use one of ${known}: a folder that was sent for one deployment cannot be deployed by another.`,
  );
}

function refuseFaults(component: string, { environments, deployment }: EnvironmentsArgs): void {
  const fail = (text: string): never => {
    throw new pulumi.RunError(`${component}: ${text}`);
  };
  if (environments.length === 0) fail("environments is empty. Name one at least.");
  const names = environments.map(({ name }) => name);
  for (const name of names)
    if (!/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(name))
      fail(`the environment "${name}" must be named by letters, digits and dashes.`);
  const twin = names.find((name, at) => names.indexOf(name) !== at);
  if (twin !== undefined) fail(`the environment "${twin}" is there twice.`);
  if (environments[0]!.approved !== undefined)
    fail(
      `${names[0]} is the first environment, so there is nothing that could be approved for it. Leave \`approved\` out, and set deployment.sourceRevisionConfig.`,
    );
  for (const { name, rollout } of [...environments, { name: "deployment", rollout: deployment.rollout }])
    if ((rollout as { wait?: unknown } | undefined)?.wait === false)
      fail(`rollout.wait of ${name} is false: what is promoted has to be waited for. Leave it out.`);
}

function settingsOf({ deployment }: EnvironmentsArgs, environment: EnvironmentArgs) {
  const { name: _, deploymentName: _n, approved: _a, allowUnverified: _u, ...own } = environment;
  return {
    ...deployment,
    ...own,
    sourceConfig: { ...deployment.sourceConfig, ...own.sourceConfig },
    rollout: verifiedRollout(own.rollout ?? deployment.rollout),
  };
}

function sourceOf(
  shared: SourceRevisionConfigArgs,
  { approved, allowUnverified }: EnvironmentArgs,
  field: PromotedField,
  promotion: Promotion | undefined,
): SourceRevisionConfigArgs {
  if (!promotion) return shared;
  if (approved === undefined) return { ...shared, [field]: verifiedBefore(promotion) };
  return { ...shared, [field]: allowUnverified ? approved : approvedFor(promotion, approved) };
}
