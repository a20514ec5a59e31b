import { Assistant, Cron, Deployment, Run, StoreItem, StoreItems, Thread } from "pulumi-agentserver";

const agent = new Deployment("agent", {
  name: "support-agent",
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" },
  rollout: { verify: { graph: "agent" } },
});

const brief = new Assistant("brief", {
  deployment: agent,
  graph: "agent",
  name: "Brief",
  context: { style: "brief" },
  metadata: { team: "support" },
});

const inbox = new Thread("inbox", { deployment: agent, graph: "agent", metadata: { purpose: "inbox" } });

const report = new Cron("report", {
  deployment: agent,
  assistant: brief,
  schedule: "0 9 * * 1-5",
  timezone: "Europe/Berlin",
  input: { messages: [{ role: "user", content: "Write the report." }] },
  onRunCompleted: "keep",
});

const tone = new StoreItem("tone", {
  deployment: agent,
  namespace: ["guidelines"],
  key: "tone",
  value: { text: "Friendly, and brief." },
});

const handbook = new StoreItems("handbook", {
  deployment: agent,
  namespace: ["handbook"],
  folder: "./handbook",
});

const smoke = new Run("smoke", {
  deployment: agent,
  assistant: brief,
  input: { messages: [{ role: "user", content: "Hello" }] },
  triggers: [agent.latestRevisionId],
});

export const nextRuns = report.nextRuns;
export const threadId = inbox.threadId;
export const items = [tone.key, handbook.itemHashes];
export const answer = smoke.output;
