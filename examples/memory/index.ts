import { AgentService } from "pulumi-agentserver";

const service = new AgentService("support", {
  name: "memory",
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" },
  rollout: { timeout: "5m", verify: { graph: "agent" } },
  memory: { handbook: { namespace: ["handbook"], folder: "./handbook" } },
});

export const url = service.url;
export const items = service.memory["handbook"]?.itemHashes;
