import { printableJson } from "../printable";
import { randomUUID } from "node:crypto";
import type { ControlPlaneAddress } from "../../provider/resource/managed";
import { type DeploymentState, schemaVersion } from "../../provider/deployment/state";
import { providerText } from "../../sdk/provider-text";
import { dynamicType, pluginType } from "../../provider/resource/ownership/type-token";
import type { ExportedDeployment, ExportedFile, ProviderName } from "./model";

/** File name for `pulumi import --file`. */
export const importFileName = "import.json";

/**
 * Creates the file that adds the deployments to a stack's state without writing to the control plane. The provider
 * plugin reads the deployments by ID.
 */
export function importFile(
  deployments: readonly ExportedDeployment[],
  controlPlane: ControlPlaneAddress,
  provider: ProviderName,
): ExportedFile {
  const resources = deployments
    .filter(({ asComment }) => !asComment)
    .map((deployment) =>
      provider === "plugin"
        ? { type: pluginType("Deployment"), name: deployment.resource, id: deployment.id }
        : dynamicResource(deployment, controlPlane),
    );
  return { name: importFileName, text: `${printableJson(JSON.stringify({ resources }, undefined, 2))}\n` };
}

/**
 * Returns the resource with its state. The engine accepts the outputs unchanged, because it cannot call a dynamic
 * provider that is not in the state yet. A subsequent refresh adds everything that the file does not contain, in
 * particular secret values.
 */
function dynamicResource(deployment: ExportedDeployment, controlPlane: ControlPlaneAddress): object {
  const { ownerId, ...outputs } = stateOf(deployment, controlPlane);
  const { url, latestRevisionId, controlPlane: address, schemaVersion: version, ...inputs } = outputs;
  const hidden = { ownerId, __provider: providerText("provider") };
  return {
    type: dynamicType("Deployment"),
    name: deployment.resource,
    id: deployment.id,
    inputs: { ...inputs, ...hidden },
    outputs: { ...outputs, ...hidden },
  };
}

function stateOf(
  { inputs, secrets, found }: ExportedDeployment,
  controlPlane: ControlPlaneAddress,
): DeploymentState {
  const names = secrets.map(({ name }) => [name, ""] as const);
  return {
    ...inputs,
    ...(inputs.secrets && { secrets: Object.fromEntries(names) }),
    ...(found.url !== undefined && { url: found.url }),
    latestRevisionId: found.latestRevisionId,
    verified: { history: [] },
    controlPlane: { ...controlPlane, tenantId: controlPlane.tenantId || found.tenantId },
    ownerId: found.ownerId ?? randomUUID(),
    schemaVersion,
  };
}
