import * as pulumi from "@pulumi/pulumi";
import { Environments } from "pulumi-agentserver";

const config = new pulumi.Config();

const support = new Environments("support", {
  agent: "support",
  deployment: {
    source: "github",
    sourceConfig: { repoUrl: config.require("repoUrl"), deploymentType: "dev" },
    // What development runs; the others follow.
    sourceRevisionConfig: { repoRef: config.require("commit"), graphConfigPath: "langgraph.json" },
    rollout: { timeout: "5m", onFailure: "rollback", verify: { graph: "agent" } },
  },
  environments: [
    { name: "development" },
    { name: "staging" },
    { name: "production", approved: config.require("approved"), sourceConfig: { deploymentType: "prod" } },
  ],
});

export const development = support.running["development"];
export const staging = support.running["staging"];
export const production = support.running["production"];
