import { isCloudHost } from "../../control-plane/base-url";
import { isLoopback } from "../../http/proxy";
import type { RolloutRequest } from "./awaited";
import type { ControlPlaneAddress } from "../../resource/managed";
import type { ControlPlaneOperation } from "../../resource/operation";
import { isPlainWord, shellWord } from "../../text/shell-word";
import { partsOfUrn } from "../../resource/ownership/urn";

/** The control plane's own page of the revision, and the command that shows its whole log. */
export function whereToLook(
  { plane, resource }: Pick<ControlPlaneOperation, "plane" | "resource">,
  { deploymentId, inputs }: Pick<RolloutRequest, "deploymentId" | "inputs">,
  revisionId: string,
  build: boolean,
): string {
  const named = inputs.name !== undefined && isPlainWord(inputs.name) ? inputs.name : deploymentId;
  const { stack } = partsOfUrn(resource.identity.urn);
  const options = [
    `--revision ${shellWord(revisionId)}`,
    ...(build ? ["--build"] : []),
    ...(isPlainWord(stack) ? [`--stack ${stack}`] : []),
  ];
  const command = `npx agentserver logs ${shellWord(named)} ${options.join(" ")}`;
  return `Page: ${pageOf(plane.controlPlane, deploymentId, revisionId)}. The whole log: \`${command}\`.`;
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
