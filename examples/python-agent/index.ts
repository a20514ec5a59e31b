import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";

const config = new pulumi.Config();

const agent = new Deployment("agent", {
  name: "python-agent",
  source: "github",
  sourceConfig: { repoUrl: config.require("repoUrl"), deploymentType: "dev", buildOnPush: false },
  sourceRevisionConfig: { repoRef: config.require("repoRef"), graphConfigPath: "langgraph.json" },
  secrets: { GREETING: config.requireSecret("greeting") },
  // The first revision installs the packages of the agent, and later ones reuse them.
  rollout: { timeout: "10m", verify: { graph: "agent" } },
});

export const deploymentId = agent.deploymentId;
export const revisionId = agent.latestRevisionId;
export const url = agent.url;
