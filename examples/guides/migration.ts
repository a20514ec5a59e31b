import * as pulumi from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";

const config = new pulumi.Config();

new Deployment("agent", {
  name: "support",
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" },
  secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
  adopt: "always",
});
