import { Workspace } from "pulumi-agentserver";

// What the newest commit of the demonstration's repository declares.
export const { urls } = new Workspace("agents", {
  manifests: ".local/checkout/deployments",
  environmentVariables: ["AGENTS_REPOSITORY"],
});
