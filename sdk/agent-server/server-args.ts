import type * as pulumi from "@pulumi/pulumi";
import type { OtherControlPlane } from "../other-control-plane";

/** Reference to a deployment: a `Deployment` or the result of a lookup. */
export interface DeploymentReference {
  /** ID of the deployment. Changing it replaces the resource. */
  id: pulumi.Input<string>;
  /** URL of the deployment's agent server. A change to it has no effect. */
  url: pulumi.Input<string | undefined>;
  /**
   * Connection to the deployment's control plane. A change to it only updates the state.
   * @default the configured one
   */
  connection?: pulumi.Input<OtherControlPlane | undefined>;
}

/**
 * Returns only the properties that locate the agent server, so that the resource does not depend on any other property.
 */
export function toReference<Id, Url, Connection>({
  id,
  url,
  connection,
}: {
  id: Id;
  url?: Url;
  connection?: Connection;
}): { id: Id; url?: Url; connection?: Connection } {
  return { id, ...(url !== undefined && { url }), ...(connection !== undefined && { connection }) };
}

/** Agent server that does not belong to a deployment of the configured control plane. */
export interface ConnectionArgs {
  /** URL of the agent server. Changing it replaces the resource. */
  url: pulumi.Input<string>;
  /**
   * Name of the configuration key or environment variable with the server's API key. The key itself is never stored in
   * state. Omit it if the server does not require a key.
   */
  apiKeyFrom?: pulumi.Input<string>;
}

/** Agent server of a resource: either a deployment or a connection. */
export type ServerArgs =
  | {
      /**
       * Deployment whose agent server contains the resource. Requests to the agent server use the control plane's key.
       */
      deployment: DeploymentReference;
      connection?: undefined;
    }
  | {
      deployment?: undefined;
      /** Connection to any other agent server. */
      connection: pulumi.Input<ConnectionArgs>;
    };
