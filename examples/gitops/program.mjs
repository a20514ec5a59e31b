import { Workspace } from "pulumi-agentserver";

// Declares the deployments in the newest commit of the demonstration's repository.
export const { urls } = new Workspace("agents", {
  manifests: ".local/checkout/deployments",
  environmentVariables: ["AGENTS_REPOSITORY"],
});
