import { AgentService } from "pulumi-agentserver";

const service = new AgentService("reports", {
  name: "scheduled-report",
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" },
  rollout: { timeout: "5m", verify: { graph: "agent" } },
  assistants: { writer: { graph: "agent", name: "Writer of reports" } },
  crons: {
    weekday: {
      assistant: "writer",
      schedule: "0 9 * * 1-5",
      timezone: "Europe/Berlin",
      input: { messages: [{ role: "user", content: "yesterday's orders" }] },
      // The thread of each run stays, with its report.
      onRunCompleted: "keep",
    },
  },
});

export const url = service.url;
export const cronId = service.crons["weekday"]?.id;
export const nextRuns = service.crons["weekday"]?.nextRuns;
