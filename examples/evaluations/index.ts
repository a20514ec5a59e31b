import { AgentService } from "pulumi-agentserver";

const shop = new AgentService("shop", {
  name: "shop-agent",
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" },
  rollout: {
    timeout: "10m",
    verify: {
      graph: "agent",
      evaluation: {
        dataset: "evals/*.jsonl",
        concurrency: 4,
        pass: 0.8,
        noWorseThan: "previous",
        judge: { assistant: "judge", instructions: "The answer must be polite." },
      },
    },
  },
});

export const url = shop.url;
export const score = shop.verified.apply(({ current }) => current?.verification.evaluation);
