import * as pulumi from "@pulumi/pulumi";
import { Environments } from "pulumi-agentserver";

const config = new pulumi.Config();

const agent = new Environments("agent", {
  name: "environments",
  source: "github",
  sourceConfig: { repoUrl: config.require("repoUrl"), deploymentType: "dev", buildOnPush: false },
  sourceRevisionConfig: { repoRef: config.require("commit"), graphConfigPath: "langgraph.json" },
  rollout: { timeout: "5m", verify: { graph: "agent" } },
  environments: [
    { environment: "development", environmentVariables: { STAGE: "development" } },
    { environment: "staging", environmentVariables: { STAGE: "staging" } },
    {
      environment: "production",
      environmentVariables: { STAGE: "production" },
      gate: { approvedFrom: "approved" },
    },
  ],
});

export const urls = agent.urls;
export const serves = agent.serves;
