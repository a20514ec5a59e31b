import { isCloudHost } from "../../control-plane/base-url";
import { isLoopback } from "../../http/proxy";
import type { Written } from "../written";
import type { ControlPlaneAddress } from "../../resource/managed";

/** The control plane's own page of the revision, and the command that shows its whole log. */
export function whereToLook(
  controlPlane: ControlPlaneAddress,
  { deploymentId, inputs }: Pick<Written, "deploymentId" | "inputs">,
  revisionId: string,
  build: boolean,
): string {
  const named = /^[\w.-]+$/.test(inputs.name) ? inputs.name : deploymentId;
  const command = `agentserver logs ${named} --revision ${revisionId}${build ? " --build" : ""}`;
  return `Page: ${pageOf(controlPlane, deploymentId, revisionId)}. The whole log: \`${command}\`.`;
}

/** The page of a deployment in a browser. */
function pageOf({ baseUrl, tenantId }: ControlPlaneAddress, deploymentId: string, revisionId: string) {
  const { protocol, hostname, host } = new URL(baseUrl);
  const [deployment, revision] = [deploymentId, revisionId].map(encodeURIComponent);
  // The local control plane shows its own page; all others belong to an installation with a user interface.
  if (isLoopback(hostname)) return `${protocol}//${host}/#/deployments/${deployment}/${revision}`;
  const site = isCloudHost(hostname) ? hostname.replace("api.host.", "smith.") : host;
  const organization = tenantId ? `/o/${encodeURIComponent(tenantId)}` : "";
  return `${protocol}//${site}${organization}/host/deployments/${deployment}`;
}
