import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";

const agent = new Deployment("agent", {
  name: pulumi.getProject(),
  source: "internal_source",
  sourceConfig: { deploymentType: "dev" },
  sourceRevisionConfig: { folder: "./agent" },
  environmentVariables: { GREETING: "Hello" },
  rollout: { timeout: "10m", verify: { graph: "agent" } },
});

export const deploymentId = agent.deploymentId;
export const url = agent.url;
