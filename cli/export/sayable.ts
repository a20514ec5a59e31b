import { isDeepStrictEqual } from "node:util";
import { parseManifests } from "../../sdk/manifests/parse";
import type { ExportedDeployment, ExportedWorkspace } from "./exported";
import { manifestFor, manifestText } from "./manifests";

/**
 * The workspace as far as manifests can say it. The specification of resources may hold anything, such as a field
 * whose name looks like a reference; where its manifest would not be read as it is meant, it is left out.
 */
export function sayableInManifests(workspace: ExportedWorkspace): ExportedWorkspace {
  return { ...workspace, deployments: workspace.deployments.map(sayable) };
}

function sayable(deployment: ExportedDeployment): ExportedDeployment {
  if (deployment.inputs.sourceConfig.resourceSpec === undefined || isReadBack(deployment)) return deployment;
  const { resourceSpec: _, ...sourceConfig } = deployment.inputs.sourceConfig;
  const notice =
    "Left out, so the control plane keeps its value: sourceConfig.resourceSpec (no manifest can say it).";
  return {
    ...deployment,
    inputs: { ...deployment.inputs, sourceConfig },
    notices: [...deployment.notices, notice],
  };
}

function isReadBack(deployment: ExportedDeployment): boolean {
  const { deployments } = parseManifests({ manifests: [{ path: "", text: manifestText(deployment) }] });
  return isDeepStrictEqual(deployments[0]?.spec, JSON.parse(JSON.stringify(manifestFor(deployment).spec)));
}
