import { AgentService } from "pulumi-agentserver";

const service = new AgentService("reports", {
  name: "scheduled-report",
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" },
  rollout: { timeout: "5m", verify: { graph: "agent" } },
  assistants: { writer: { graph: "agent", name: "Report writer" } },
  crons: {
    weekday: {
      assistant: "writer",
      schedule: "0 9 * * 1-5",
      timezone: "Europe/Berlin",
      input: { messages: [{ role: "user", content: "yesterday's orders" }] },
      // Keeps the thread of each run, which contains the report.
      onRunCompleted: "keep",
    },
  },
});

export const url = service.url;
export const cronId = service.crons["weekday"]?.id;
export const nextRuns = service.crons["weekday"]?.nextRuns;
