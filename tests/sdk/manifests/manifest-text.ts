import { parseManifests } from "../../../sdk/manifests/parse";
import { formatFault } from "../../../sdk/manifests/fault";

/** Returns the source of a manifest that has the specified lines below `spec:`, indented by two. */
export function manifestText(spec = "", name = "support-agent"): string {
  const lines = spec.split("\n").filter((line) => line !== "");
  return `apiVersion: agentserver/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  source: github
  sourceConfig: { repoUrl: https://git.example.com/agents.git }
  sourceRevisionConfig: { repoRef: v1 }
${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** Returns the source of an overlay that has these lines below `spec:`. */
export function overlayText(spec: string, name = "support-agent"): string {
  const lines = spec.split("\n").map((line) => `  ${line}\n`);
  return `apiVersion: agentserver/v1\nkind: Deployment\nmetadata: { name: ${name} }\nspec:\n${lines.join("")}`;
}

/** Parses a file, or a file and its overlay. Returns errors as lines. */
export function parsed(text: string, overlay?: string) {
  const { deployments, faults } = parseManifests({
    manifests: [{ path: "a.yaml", text }],
    overlays: overlay === undefined ? [] : [{ path: "overlays/prod/a.yaml", text: overlay }],
  });
  return { deployments, faults: faults.map(formatFault) };
}
