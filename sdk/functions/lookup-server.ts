import * as pulumi from "@pulumi/pulumi";
import { type ServerArgs, toReference } from "../agent-server/server-args";
import type { OtherControlPlane } from "../other-control-plane";

/** Agent server of a lookup: either a deployment or a connection. */
export type LookUpServer =
  | {
      /** Deployment, for example the result of `getDeployment`. */
      deployment: { id: string; url?: string; connection?: OtherControlPlane };
      connection?: undefined;
    }
  | {
      deployment?: undefined;
      /**
       * Any other agent server; `apiKeyFrom` is the name of the configuration key or environment variable that contains
       * its API key.
       */
      connection: { url: string; apiKeyFrom?: string };
    };

/** Returns the agent server that the arguments specify. */
export function serverOf({ deployment, connection }: LookUpServer): LookUpServer {
  rejectBoth(deployment, connection);
  return deployment ? { deployment: toReference(deployment) } : { connection };
}

/** Output version of `serverOf`. */
export function serverOutput({ deployment, connection }: ServerArgs): pulumi.Output<LookUpServer> {
  rejectBoth(deployment, connection);
  if (!deployment) return pulumi.output({ connection });
  return pulumi.output({ deployment: toReference(deployment) });
}

function rejectBoth(deployment: unknown, connection: unknown): void {
  if (deployment !== undefined && connection !== undefined)
    throw new Error("connection cannot be combined with deployment: each specifies an agent server.");
}
