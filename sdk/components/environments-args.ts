import type { Input } from "@pulumi/pulumi";
import type { DeploymentSettings, SourceConfigArgs } from "../deployment-args";
import type { OtherControlPlane } from "../other-control-plane";
import type { PromotionGateArgs } from "../functions/promote";
import type { ServiceContents } from "./agent-service-args";

/** One environment, with the settings that differ from those of the other environments. */
export interface EnvironmentArgs
  extends
    Partial<Omit<DeploymentSettings, "source" | "sourceConfig" | "sourceRevisionConfig">>,
    ServiceContents {
  /** Name of the environment, for example `staging`. */
  environment: string;
  /**
   * Name of the environment's deployment.
   * @default `<name>-<environment>`
   */
  name?: string;
  /** Control plane of the environment's deployment and contents, if it differs from the common one. */
  connection?: OtherControlPlane;
  /**
   * Fields of `sourceConfig` that differ in this environment, such as `resourceSpec`; each one overrides the common
   * field.
   */
  sourceConfig?: SourceConfigArgs;
  /**
   * Conditions for promoting to the environment. Until they are met, the environment keeps its source, and a new
   * environment is not created. Not allowed in the first environment.
   */
  gate?: PromotionGateArgs;
}

/**
 * Arguments of `Environments`. The settings and contents apply to all environments, unless an environment overrides
 * them. Contents are overridden by name.
 */
export interface EnvironmentsArgs
  extends Omit<DeploymentSettings, "sourceConfig" | "sourceRevisionConfig">, ServiceContents {
  /** Prefix of the deployment names. */
  name: string;
  /** Control plane of the environments. @default the one in the `agentserver` configuration */
  connection?: OtherControlPlane;
  /**
   * Kind of source: `github` (promoted by commit), `external_docker` (promoted by image), or `internal_source` (the
   * folder contents that the first environment was deployed from; gates are not supported).
   */
  source: "github" | "external_docker" | "internal_source";
  sourceConfig: SourceConfigArgs;
  /** Source of the first environment. Images must be specified by digest, because tags can change. */
  sourceRevisionConfig: {
    /**
     * Branch, tag, or commit. A commit is required if the control plane does not report the commit of a branch or tag.
     */
    repoRef?: Input<string>;
    /** Path of the graph configuration file. */
    graphConfigPath?: Input<string>;
    /** Folder on this machine, relative to the folder that contains `Pulumi.yaml`. */
    folder?: Input<string>;
    /** Container image with its digest. */
    imageUri?: Input<string>;
  };
  /** Environments, in the order of promotion. */
  environments: readonly EnvironmentArgs[];
}
