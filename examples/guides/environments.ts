import * as pulumi from "@pulumi/pulumi";
import { Environments } from "pulumi-agentserver";

const config = new pulumi.Config();

const support = new Environments("support", {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://github.com/example/agents", deploymentType: "prod", buildOnPush: false },
  sourceRevisionConfig: { repoRef: config.require("commit"), graphConfigPath: "langgraph.json" },
  rollout: { verify: { graph: "agent" } },
  environments: [
    { environment: "development" },
    { environment: "staging", secrets: { MODEL_API_KEY: config.requireSecret("stagingKey") } },
    {
      environment: "production",
      sourceConfig: { resourceSpec: { minScale: 2 } },
      gate: { approvedFrom: "approved" },
    },
  ],
});

export const urls = support.urls;
