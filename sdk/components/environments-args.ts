import type { Input } from "@pulumi/pulumi";
import type { DeploymentSettings, SourceConfigArgs } from "../deployment-args";

/**
 * Holds an environment at what it serves until something else is approved. What is approved is a commit (its first seven
 * digits or more) or an image (or its digest alone). Nothing is approved with null, or with a key that has no value: then
 * the environment is not made yet.
 */
export type GateArgs =
  | {
      /** What is approved, in the program. */
      approved: string | null;
      approvedFrom?: undefined;
    }
  | {
      approved?: undefined;
      /** Key of the project's configuration that holds what is approved. */
      approvedFrom: string;
    };

/** One environment, and how it differs from the others. */
export interface EnvironmentArgs extends Partial<
  Omit<DeploymentSettings, "source" | "sourceConfig" | "sourceRevisionConfig">
> {
  /** What the environment is called, for example `staging`. */
  environment: string;
  /** Name of its deployment. @default `<name>-<environment>` */
  name?: string;
  /** What differs in where the source comes from, such as `resourceSpec`; field by field in place of that of all. */
  sourceConfig?: SourceConfigArgs;
  /** Holds it back until what the environment before it has verified is approved. Not for the first one. */
  gate?: GateArgs;
}

/** The same agent in several environments. What is said here is so in all of them, unless one says otherwise. */
export interface EnvironmentsArgs extends Omit<DeploymentSettings, "sourceConfig" | "sourceRevisionConfig"> {
  /** What the names of the deployments begin with. */
  name: string;
  /**
   * Kind of source: `github` (promoted by commit), `external_docker` (by image) or `internal_source` (the folder as it was
   * read for the first environment; without gates).
   */
  source: "github" | "external_docker" | "internal_source";
  sourceConfig: SourceConfigArgs;
  /** What the first environment gets. Images are given by their digest, since a tag may move. */
  sourceRevisionConfig: {
    /** Branch, tag or commit. A control plane that does not say which commit that was needs the commit. */
    repoRef?: Input<string>;
    /** Path of the graph configuration file. */
    graphConfigPath?: Input<string>;
    /** Folder on this machine, relative to the folder of `Pulumi.yaml`. */
    folder?: Input<string>;
    /** Container image, by its digest. */
    imageUri?: Input<string>;
  };
  /** The environments in the order of promotion. */
  environments: readonly EnvironmentArgs[];
}
