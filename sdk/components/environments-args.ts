import type { Input } from "@pulumi/pulumi";
import type { DeploymentSettings, SourceConfigArgs, SourceRevisionConfigArgs } from "../deployment-args";

/** What environments may have of their own: everything but what they run. */
type OwnSettings = Partial<Omit<DeploymentSettings, "source" | "sourceConfig" | "sourceRevisionConfig">>;

/** One environment. */
export interface EnvironmentArgs extends OwnSettings {
  /** What it is called, such as `staging`; part of the names of resource and deployment. */
  name: string;
  /** Name of the deployment. @default the name of the agent, a dash, and that of the environment */
  deploymentName?: Input<string>;
  /** Differences of its source configuration, such as its size. */
  sourceConfig?: SourceConfigArgs;
  /**
   * Makes this environment one with a gate: the commit, tag or image that it runs, which somebody has to write here. It must
   * be what the environment before it serves and has verified, or what runs here already. Without it, the environment takes
   * what the one before it has verified, in the same update.
   */
  approved?: Input<string>;
  /** Lets `approved` name something else, such as an older commit to go back to. @default false */
  allowUnverified?: boolean;
}

/** An agent in several environments. */
export interface EnvironmentsArgs {
  /** What the agent is called: the names of the deployments begin with it. */
  agent: string;
  /** What all environments share; `sourceRevisionConfig` is what the first one runs. */
  deployment: Omit<DeploymentSettings, "source" | "sourceConfig" | "sourceRevisionConfig"> & {
    /** Kind of source: one that is a repository, or an image. */
    source: string;
    sourceConfig: SourceConfigArgs;
    sourceRevisionConfig: SourceRevisionConfigArgs;
  };
  /** The environments, in the order of promotion. */
  environments: readonly EnvironmentArgs[];
}
