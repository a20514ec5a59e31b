import * as pulumi from "@pulumi/pulumi";
import type { ServerArgs } from "../agent-server/server-args";
import type { LookUpServer } from "./look-up-server";

/** The agent server of arguments; a deployment by its id and address alone. */
export function placeOf({ deployment, connection }: LookUpServer): LookUpServer {
  refuseBoth(deployment, connection);
  return deployment ? { deployment: { id: deployment.id, url: deployment.url } } : { connection };
}

/** The agent server that is known only later. */
export function placeOutput({ deployment, connection }: ServerArgs): pulumi.Output<LookUpServer> {
  refuseBoth(deployment, connection);
  if (!deployment) return pulumi.output({ connection });
  return pulumi.output({ deployment: { id: deployment.id, url: deployment.url } });
}

function refuseBoth(deployment: unknown, connection: unknown): void {
  if (deployment !== undefined && connection !== undefined)
    throw new Error("connection cannot be given together with deployment: each names an agent server.");
}
