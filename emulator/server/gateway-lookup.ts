import type { Clock } from "../clock";
import { createGateway, type Gateway } from "../gateway";
import type { GatewayLookup } from "../gateway/route";
import { requireKey } from "../control-plane/access/guard";
import type { Folders } from "../control-plane/folders";
import type { PlaneDeps } from "../control-plane/deps";
import { Refusal, refuse } from "../control-plane/refusal";

/**
 * Returns the agent lookup for the gateway. It finds the agents that the supervisor keeps running, and requires a key
 * of their organization.
 */
function gatewayLookup({ organizations, store, supervisor }: PlaneDeps): GatewayLookup {
  return (deploymentId, apiKey, open = false) => {
    const deployment = store.deployments.find(deploymentId);
    if (!open) {
      const forbidden = keyRefusal(() => requireKey(organizations, apiKey));
      if (forbidden) return forbidden;
    }
    if (deployment?.goneAt !== null)
      return { kind: "unknown", detail: refuse.noDeployment(deploymentId).message };
    if (!open && organizations.byKey(apiKey ?? "") !== organizations.byTenant(deployment.tenantId))
      return { kind: "forbidden", status: 403, detail: "This API key has no access to this deployment." };
    const agent = supervisor.agent(deploymentId);
    return agent.kind === "serving" ? agent : { kind: "unavailable", detail: agent.detail, soon: agent.soon };
  };
}

/** Creates the gateway to the agents of a control plane. */
export function gateway(
  deps: PlaneDeps,
  clock: Clock,
  folders: Folders,
  allowedOrigins: readonly string[],
): Gateway {
  return createGateway({
    lookup: gatewayLookup(deps),
    dataFolder: (deploymentId) => folders.data(deploymentId),
    clock,
    allowedOrigins,
    reportError: deps.reportError,
  });
}

function keyRefusal(check: () => unknown): { kind: "forbidden"; status: 401; detail: string } | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return { kind: "forbidden", status: 401, detail: error.message };
    throw error;
  }
}
