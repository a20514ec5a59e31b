import { isDeepStrictEqual } from "node:util";
import { parseManifests } from "../../sdk/manifests/parse";
import type { ExportedContent, ExportedDeployment, ExportedWorkspace } from "./model";
import { contentManifest, specOf } from "./contents/manifests";
import { manifestFor, manifestText } from "./manifests";

/**
 * Omits resource specifications that manifests cannot represent, for example because the name of a field looks like a
 * reference.
 */
export function representableInManifests(workspace: ExportedWorkspace): ExportedWorkspace {
  return { ...workspace, deployments: workspace.deployments.map(omitUnrepresentable) };
}

/** Omits contents that manifests cannot represent. */
export function representableContents(workspace: ExportedWorkspace): ExportedWorkspace {
  const contents = workspace.contents.filter(isRepresentable);
  const others = workspace.contents.filter((content) => !contents.includes(content));
  const omitted = others.map(({ title, deployment }) => ({
    name: `${title} in ${deployment.name}`,
    id: deployment.id,
    reason: "a manifest cannot represent all of its values; use --format program",
  }));
  return { ...workspace, contents, omitted: [...workspace.omitted, ...omitted] };
}

function isRepresentable(content: ExportedContent): boolean {
  const texts = [manifestText(content.deployment), contentManifest(content)];
  const { others } = parseManifests({ manifests: texts.map((text, at) => ({ path: `${at}`, text })) });
  return isDeepStrictEqual(others[0]?.spec, JSON.parse(JSON.stringify(specOf(content))));
}

function omitUnrepresentable(deployment: ExportedDeployment): ExportedDeployment {
  if (deployment.inputs.sourceConfig.resourceSpec === undefined || roundTrips(deployment)) return deployment;
  const { resourceSpec: _, ...sourceConfig } = deployment.inputs.sourceConfig;
  const notice =
    "Omitted, so the control plane keeps its value: sourceConfig.resourceSpec (a manifest cannot represent it).";
  return {
    ...deployment,
    inputs: { ...deployment.inputs, sourceConfig },
    notices: [...deployment.notices, notice],
  };
}

function roundTrips(deployment: ExportedDeployment): boolean {
  const { deployments } = parseManifests({ manifests: [{ path: "", text: manifestText(deployment) }] });
  return isDeepStrictEqual(deployments[0]?.spec, JSON.parse(JSON.stringify(manifestFor(deployment).spec)));
}
