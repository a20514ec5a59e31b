import { AgentService } from "pulumi-agentserver";

const chat = new AgentService("chat", {
  deployment: {
    name: "chat-agent",
    source: "internal_source",
    sourceConfig: { deploymentType: "serverless" },
    sourceRevisionConfig: { folder: "./agent" },
    rollout: { timeout: "5m", verify: { graph: "chat" } },
  },
  assistants: {
    brief: { graph: "chat", name: "Brief", context: { tone: "brief" } },
    friendly: { graph: "chat", name: "Friendly", context: { tone: "friendly", signature: "Your team" } },
    formal: { graph: "chat", name: "Formal", context: { tone: "formal", signature: "Kind regards" } },
  },
});

export const url = chat.url;
export const brief = chat.assistants["brief"]!.assistantId;
export const friendly = chat.assistants["friendly"]!.assistantId;
export const formal = chat.assistants["formal"]!.assistantId;
