import { AgentService } from "pulumi-agentserver";

const chat = new AgentService("chat", {
  name: "chat-agent",
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" },
  rollout: { timeout: "5m", verify: { graph: "agent" } },
  assistants: {
    brief: { graph: "agent", name: "Brief", context: { style: "brief" } },
    thorough: { graph: "agent", name: "Thorough", context: { style: "thorough" } },
    friendly: { graph: "agent", name: "Friendly", context: { style: "friendly" } },
  },
});

export const url = chat.url;
export const brief = chat.assistants["brief"]?.assistantId;
export const thorough = chat.assistants["thorough"]?.assistantId;
export const friendly = chat.assistants["friendly"]?.assistantId;
