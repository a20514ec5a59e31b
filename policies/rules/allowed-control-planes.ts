import type { Connection } from "../pack/connection";
import { violation } from "../resource/outcome";
import { matches } from "../resource/pattern";
import { deploymentPolicy, inAllStacks } from "../pack/record";
import { texts } from "../pack/settings";

export const allowedControlPlanes = deploymentPolicy({
  name: "allowed-control-planes",
  text: "Deployments must be on an allowed control plane (region or host) and in an allowed workspace.",
  severity: "high",
  enforcement: "mandatory",
  settings: {
    ...inAllStacks,
    regions: texts(
      "Allowed cloud regions, such as `eu`. If `regions` and `hosts` are empty, all are allowed.",
    ),
    hosts: texts("Patterns for other allowed hosts, such as `agents.example.com`."),
    tenants: texts("IDs of allowed workspaces. If empty, all are allowed."),
  },
  *check({ circumstances: { connection } }, { regions, hosts, tenants }) {
    if (regions.length + hosts.length > 0 && !isAllowedPlace(connection, regions, hosts))
      yield violation(
        "",
        "the control plane is not allowed",
        `Set agentserver:region or agentserver:baseUrl to one of ${[...regions, ...hosts].join(", ")}.`,
      );
    if (tenants.length > 0 && !tenants.includes(connection.tenantId ?? ""))
      yield violation(
        "",
        connection.tenantId === undefined ? "no workspace is configured" : "the workspace is not allowed",
        `Set agentserver:tenantId to one of ${tenants.join(", ")}.`,
      );
  },
});

function isAllowedPlace({ region, host }: Connection, regions: string[], hosts: string[]): boolean {
  return (region !== undefined && regions.includes(region)) || (host !== undefined && matches(host, hosts));
}
