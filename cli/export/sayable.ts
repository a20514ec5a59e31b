import { isDeepStrictEqual } from "node:util";
import { parseManifests } from "../../sdk/manifests/parse";
import type { ExportedContent } from "./contents/exported-content";
import { contentManifest, specOf } from "./contents/manifests";
import type { ExportedDeployment } from "./exported-deployment";
import type { ExportedWorkspace } from "./exported-workspace";
import { manifestFor, manifestText } from "./manifests";

/**
 * The workspace as far as manifests can say it. The specification of resources may hold anything, such as a field
 * whose name looks like a reference; where its manifest would not be read as it is meant, it is left out.
 */
export function sayableInManifests(workspace: ExportedWorkspace): ExportedWorkspace {
  return { ...workspace, deployments: workspace.deployments.map(sayable) };
}

/** The same for what is in the deployments: what no manifest can say is left out as a whole. */
export function sayableContents(workspace: ExportedWorkspace): ExportedWorkspace {
  const contents = workspace.contents.filter(isSayable);
  const others = workspace.contents.filter((content) => !contents.includes(content));
  const leftOut = others.map(({ title, deployment }) => ({
    name: `${title} in ${deployment.name}`,
    id: deployment.id,
    reason: "no manifest can say all of its values; --format program can",
  }));
  return { ...workspace, contents, leftOut: [...workspace.leftOut, ...leftOut] };
}

function isSayable(content: ExportedContent): boolean {
  const texts = [manifestText(content.deployment), contentManifest(content)];
  const { others } = parseManifests({ manifests: texts.map((text, at) => ({ path: `${at}`, text })) });
  return isDeepStrictEqual(others[0]?.spec, JSON.parse(JSON.stringify(specOf(content))));
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
