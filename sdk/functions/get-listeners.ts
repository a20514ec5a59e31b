import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import { run } from "./run";

/** Listener, which runs deployments in one of the workspace's clusters. */
export interface GetListenersResult {
  /** ID of the listener, for `sourceConfig.listenerId`. */
  id: string;
  /** Name of the cluster. */
  computeId?: string;
  /** Namespaces that `sourceConfig.listenerConfig` may specify; empty if the listener does not report any. */
  namespaces: string[];
}

/**
 * Lists the workspace's listeners (`GET /v2/listeners`, all pages), using the connection in the `agentserver`
 * configuration.
 */
export async function getListeners(): Promise<GetListenersResult[]> {
  return (await run("getListeners", {})).listeners;
}

/** Output version of `getListeners`. */
export function getListenersOutput(
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetListenersResult[]> {
  return afterDependencies(pulumi.output({}), options).apply(() => getListeners());
}
