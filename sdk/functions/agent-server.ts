import * as pulumi from "@pulumi/pulumi";
import type { AgentServerClient } from "../../provider/agent-server/client";
import type { ServerArgs } from "../agent-server/server-args";
import { lookUp, lookUpOptions } from "./control-plane";
import type { LookUpServer } from "./look-up-server";

/** A client of that agent server. */
export function agentServer({ deployment, connection }: LookUpServer): AgentServerClient {
  const place = deployment ? { deployment: { id: deployment.id, url: deployment.url } } : { connection };
  return lookUp().agentServerOf(lookUpOptions(), place);
}

/** The agent server that is known only later; a deployment is taken by its id and address alone. */
export function serverOutput({ deployment, connection }: ServerArgs): pulumi.Output<LookUpServer> {
  if (!deployment) return pulumi.output({ connection: connection! });
  return pulumi.output({
    deployment: { id: deployment.id, url: deployment.url },
  }) as pulumi.Output<LookUpServer>;
}
