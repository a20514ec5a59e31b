import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";

const config = new pulumi.Config();

const agent = new Deployment("agent", {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://github.com/example/agents", deploymentType: "prod" },
  sourceRevisionConfig: { repoRef: "v1.4.0", graphConfigPath: "langgraph.json" },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
  environmentVariables: { LOG_LEVEL: "info" },
  rollout: { onSecretChange: "revise", verify: { graph: "agent" } },
});

const selfHosted = new Deployment("self-hosted", {
  name: "self-hosted",
  source: "external_docker",
  sourceConfig: { listenerConfig: { k8sNamespace: "agents" } },
  sourceRevisionConfig: { imageUri: config.require("image") },
  secretReferences: { MODEL_API_KEY: { secretName: "model", secretKey: "apiKey" } },
});

export const urls = [agent.url, selfHosted.url];
