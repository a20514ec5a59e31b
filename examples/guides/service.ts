import { AgentService } from "pulumi-agentserver";

const support = new AgentService("support", {
  name: "support-agent",
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" },
  rollout: { verify: { graph: "agent" } },
  assistants: { writer: { graph: "agent", name: "Report writer" } },
  crons: {
    weekday: {
      assistant: "writer",
      schedule: "0 9 * * 1-5",
      timezone: "Europe/Berlin",
      input: { messages: [{ role: "user", content: "yesterday's orders" }] },
      onRunCompleted: "keep",
    },
  },
  memory: { handbook: { namespace: ["handbook"], folder: "./handbook" } },
});

export const url = support.url;
export const nextRuns = support.crons["weekday"]?.nextRuns;
