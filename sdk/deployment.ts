import * as pulumi from "@pulumi/pulumi";
import type {
  AgentArgs,
  DeploymentArgs,
  SourceConfigArgs,
  SourceRevisionConfigArgs,
} from "./deployment-args";
import type {
  AwaitedRevision,
  ControlPlaneAddress,
  ServingRevision,
  SettledRevision,
} from "./deployment-outputs";
import { fromHere, fromProject } from "./project-path";
import { withProtection } from "./protection";
import { providerText } from "./provider-text";
import { hiddenInputs, secretValues, transportable } from "./hidden-inputs";

/**
 * An agent server deployment: created with `POST /v2/deployments`, changed with
 * `PATCH /v2/deployments/{deployment_id}` and removed with `DELETE /v2/deployments/{deployment_id}`. Create and
 * update wait until the revision that they made settles; a failed one leaves the resource in state with the
 * reason, and the next `pulumi up` continues from there.
 *
 * @example
 * const agent = new Deployment("agent", {
 *   name: "support-agent",
 *   source: "github",
 *   sourceConfig: { repoUrl: "https://github.com/example/agents", deploymentType: "prod", buildOnPush: false },
 *   sourceRevisionConfig: { repoRef: "v1.4.0", graphConfigPath: "langgraph.json" },
 *   secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
 * });
 * export const url = agent.url;
 */
export class Deployment extends pulumi.CustomResource {
  /** Type token; policies match the resource by it. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:Deployment";

  /** Name of the deployment; the control plane makes it up where `agent` stands in its place. */
  declare readonly name: pulumi.Output<string>;
  /** The agent and the environment, where the program gives them in place of a name. */
  declare readonly agent: pulumi.Output<pulumi.Unwrap<AgentArgs> | undefined>;
  /** Name that people see, where the program gives one. */
  declare readonly displayName: pulumi.Output<string | undefined>;
  /** Kind of source. */
  declare readonly source: pulumi.Output<string>;
  /** Where the source comes from, as accepted. */
  declare readonly sourceConfig: pulumi.Output<pulumi.Unwrap<SourceConfigArgs>>;
  /** What the newest revision is to be built from. */
  declare readonly sourceRevisionConfig: pulumi.Output<pulumi.Unwrap<SourceRevisionConfigArgs>>;
  /** Address of the deployment's agent server; empty until the control plane reports it. */
  declare readonly url: pulumi.Output<string | undefined>;
  /** The newest revision, whoever made it; empty while there is none. */
  declare readonly latestRevisionId: pulumi.Output<string>;
  /** The revision of the last change, while its rollout has not been seen to its end. */
  declare readonly awaitedRevision: pulumi.Output<AwaitedRevision | undefined>;
  /** The revision that was last waited for, with its final status. */
  declare readonly settledRevision: pulumi.Output<SettledRevision | undefined>;
  /** The revision that answers requests, and what it was built from. */
  declare readonly serving: pulumi.Output<ServingRevision | undefined>;
  /** The control plane that holds the deployment. */
  declare readonly controlPlane: pulumi.Output<ControlPlaneAddress>;
  /** The ownership tag: by it the resource recognizes its deployment. */
  declare readonly ownerId: pulumi.Output<string>;
  /** Which resource of which stack has taken the deployment over, once a refresh has found that; else empty. */
  declare readonly heldBy: pulumi.Output<string | undefined>;

  constructor(name: string, args: DeploymentArgs, opts?: pulumi.CustomResourceOptions) {
    // Reading by id (`Deployment.get`) needs no inputs, and a program in JavaScript may forget them.
    const resource = `Deployment "${name}"`;
    const given = transportable(resource, args as DeploymentArgs | undefined);
    if (!given && !opts?.id) throw new Error(`${resource} needs arguments: name, source, sourceConfig, …`);
    const props = {
      // What is not listed here stays empty in a resource that is read by its id.
      name: undefined,
      agent: undefined,
      displayName: undefined,
      source: undefined,
      sourceConfig: undefined,
      ...given,
      sourceRevisionConfig: withFolder(given?.sourceRevisionConfig),
      ...(given?.secrets !== undefined && { secrets: secretValues(given.secrets) }),
      url: undefined,
      latestRevisionId: undefined,
      awaitedRevision: undefined,
      settledRevision: undefined,
      serving: undefined,
      controlPlane: undefined,
      ownerId: undefined,
      heldBy: undefined,
      __provider: providerText,
      ...hiddenInputs(Deployment.__pulumiType, name, given, opts),
    };
    super(Deployment.__pulumiType, name, props, withProtection(given?.deletionProtection, props, opts));
  }

  /** Identifier of the deployment at the control plane; the same as `id`. */
  get deploymentId(): pulumi.Output<string> {
    return this.id;
  }

  /** Reads a deployment that exists, without managing it (`GET /v2/deployments/{deployment_id}`). */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Deployment {
    return new Deployment(name, undefined as unknown as DeploymentArgs, { ...opts, id });
  }

  /** Whether the value is a `Deployment`, also one from another copy of this package. */
  static override isInstance(value: unknown): value is Deployment {
    if (!pulumi.CustomResource.isInstance(value)) return false;
    return (value as { __pulumiType?: string }).__pulumiType === Deployment.__pulumiType;
  }
}

/** Folders are relative to the project's, and the provider gets them relative to the folder that both processes run in. */
function withFolder(config: DeploymentArgs["sourceRevisionConfig"] | undefined): typeof config {
  if (config === undefined) return undefined;
  if (pulumi.Output.isInstance(config) || config instanceof Promise)
    return pulumi.output(config).apply((known) => withFolder(known) as SourceRevisionConfigArgs);
  const { folder, dependencyFolders } = config;
  return {
    ...config,
    ...(folder !== undefined && { folder: fromProject(folder) }),
    ...(dependencyFolders !== undefined && {
      dependencyFolders: pulumi.output(dependencyFolders).apply((known) => known.map(fromHere)),
    }),
  };
}
