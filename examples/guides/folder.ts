import { Deployment } from "pulumi-agentserver";

const agent = new Deployment("agent", {
  name: "local-folder",
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" },
  environmentVariables: { GREETING: "Hello" },
  rollout: { timeout: "5m", onFailure: "rollback", verify: { graph: "agent" } },
});

export const url = agent.url;
export const verified = agent.verified;
