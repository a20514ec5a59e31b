import { Deployment, Run, StoreItems } from "pulumi-agentserver";

const support = new Deployment("support", {
  name: "memory",
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" },
  rollout: { timeout: "5m", verify: { graph: "support" } },
});

const handbook = new StoreItems("handbook", {
  deployment: support,
  namespace: ["handbook"],
  folder: "./handbook",
});

const question = new Run(
  "question",
  { deployment: support, assistant: "support", input: { about: "refunds" }, triggers: [handbook.itemHashes] },
  { dependsOn: handbook },
);

export const answer = question.output;
