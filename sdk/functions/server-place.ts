import * as pulumi from "@pulumi/pulumi";
import type { ServerArgs } from "../agent-server/server-args";
import type { LookUpServer } from "./look-up-server";

/** The agent server of arguments; a deployment by its id and address alone. */
export function placeOf({ deployment, connection }: LookUpServer): LookUpServer {
  return deployment ? { deployment: { id: deployment.id, url: deployment.url } } : { connection };
}

/** The agent server that is known only later. */
export function placeOutput({ deployment, connection }: ServerArgs): pulumi.Output<LookUpServer> {
  if (!deployment) return pulumi.output({ connection: connection! });
  return pulumi.output({
    deployment: { id: deployment.id, url: deployment.url },
  }) as pulumi.Output<LookUpServer>;
}
