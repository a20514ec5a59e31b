import * as pulumi from "@pulumi/pulumi";
import { lookUps } from "./look-ups";

/** A listener, which runs deployments in a cluster of the workspace's own. */
export interface GetListenersResult {
  /** What `sourceConfig.listenerId` takes. */
  id: string;
  /** The cluster, under the name that the listener gave it. */
  computeId?: string;
  /** Namespaces that `sourceConfig.listenerConfig` may name; empty where the listener names none. */
  namespaces: string[];
}

/** Lists the workspace's listeners (`GET /v2/listeners`, all pages), with the connection of the `agentserver` configuration. */
export function getListeners(): Promise<GetListenersResult[]> {
  return lookUps().listeners();
}

/** Like `getListeners`, as an output. */
export function getListenersOutput(): pulumi.Output<GetListenersResult[]> {
  return pulumi.output(getListeners());
}
