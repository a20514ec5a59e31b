import type * as pulumi from "@pulumi/pulumi";

/** A deployment as the resources in it name it: a `Deployment`, or what a look-up answers. */
export interface DeploymentReference {
  /** Id of the deployment; another one replaces the resource. */
  id: pulumi.Input<string>;
  /** Address of its agent server; a new one changes nothing. */
  url: pulumi.Input<string | undefined>;
}

/** An agent server that belongs to no deployment of the configured control plane. */
export interface ConnectionArgs {
  /** Address of the agent server; another one replaces the resource. */
  url: pulumi.Input<string>;
  /**
   * Name of the configuration key, or of the environment variable, that has the server's API key. The key itself is never
   * kept in state. Left out for a server that needs none.
   */
  apiKeyFrom?: pulumi.Input<string>;
}

/** Where a resource lives: exactly one of the two. */
export type ServerArgs =
  | {
      /** The deployment whose agent server holds the resource. It takes the control plane's key. */
      deployment: DeploymentReference;
      connection?: undefined;
    }
  | {
      deployment?: undefined;
      /** Any other agent server. */
      connection: pulumi.Input<ConnectionArgs>;
    };
