import { Cron, Deployment, Run } from "pulumi-agentserver";

const reporter = new Deployment("reporter", {
  name: "scheduled-report",
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" },
  rollout: { timeout: "5m", verify: { graph: "report" } },
});

const weekly = { topic: "orders", days: 7 };

const cron = new Cron("every-working-day", {
  deployment: reporter,
  assistant: "report",
  schedule: "0 9 * * 1-5",
  timezone: "Europe/Berlin",
  input: weekly,
});

// One report at once, and again whenever its input changes: to see that it works.
const first = new Run("first-report", {
  deployment: reporter,
  assistant: "report",
  input: weekly,
  triggers: [weekly],
});

export const nextReports = cron.nextRuns;
export const firstReport = first.output;
