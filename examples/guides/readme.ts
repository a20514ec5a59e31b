import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";

const config = new pulumi.Config();

// The README shows it next to the program in Python, so its lines are short.
// prettier-ignore
const agent = new Deployment("agent", {
  name: "support-agent",
  source: "github",
  sourceConfig: {
    integrationId: config.require("integrationId"),
    repoUrl: "https://github.com/example/agents",
    deploymentType: "prod",
  },
  sourceRevisionConfig: {
    repoRef: "v1.4.0",
    graphConfigPath: "langgraph.json",
  },
  secrets: {
    MODEL_API_KEY: config.requireSecret("modelApiKey"),
  },
  rollout: {
    verify: { graph: "agent" },
    onFailure: "rollback",
  },
});

export const url = agent.url;
