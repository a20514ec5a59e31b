import type { Input } from "@pulumi/pulumi";
import type { DeploymentSettings, SourceConfigArgs } from "../deployment-args";

/**
 * Gate of an environment, which keeps serving its current source until a new one is approved. An approval is a commit
 * (at least its first seven digits), an image with its digest or only the digest. With null, or with a key that has no
 * value, nothing is approved and the environment is not created yet.
 */
export type GateArgs =
  | {
      /** Approved commit or image, specified in the program. An empty string is the same as null. */
      approved: string | null;
      approvedFrom?: undefined;
    }
  | {
      approved?: undefined;
      /** Key of the project's configuration that contains the approved commit or image. */
      approvedFrom: string;
    };

/** One environment, with the settings that differ from those of the other environments. */
export interface EnvironmentArgs extends Partial<
  Omit<DeploymentSettings, "source" | "sourceConfig" | "sourceRevisionConfig">
> {
  /** Name of the environment, for example `staging`. */
  environment: string;
  /** Name of its deployment. @default `<name>-<environment>` */
  name?: string;
  /** Fields of `sourceConfig` that differ, such as `resourceSpec`; each overrides the common field. */
  sourceConfig?: SourceConfigArgs;
  /**
   * Gate that holds the environment back until the source verified in the previous environment is approved. Not allowed
   * in the first environment.
   */
  gate?: GateArgs;
}

/** Arguments of `Environments`. The settings apply to all environments, unless an environment overrides them. */
export interface EnvironmentsArgs extends Omit<DeploymentSettings, "sourceConfig" | "sourceRevisionConfig"> {
  /** Prefix of the names of the deployments. */
  name: string;
  /**
   * Kind of source: `github` (promoted by commit), `external_docker` (promoted by image) or `internal_source` (the
   * folder as read for the first environment; gates are not supported).
   */
  source: "github" | "external_docker" | "internal_source";
  sourceConfig: SourceConfigArgs;
  /** Source of the first environment. Images must be specified by digest, since a tag may move. */
  sourceRevisionConfig: {
    /**
     * Branch, tag or commit. A commit is required if the control plane does not report the commit of a branch or tag.
     */
    repoRef?: Input<string>;
    /** Path of the graph configuration file. */
    graphConfigPath?: Input<string>;
    /** Folder on this machine, relative to the folder that contains `Pulumi.yaml`. */
    folder?: Input<string>;
    /** Container image with its digest. */
    imageUri?: Input<string>;
  };
  /** Environments in the order of promotion. */
  environments: readonly EnvironmentArgs[];
}
