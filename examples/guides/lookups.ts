import {
  authenticateOutput,
  Deployment,
  getAssistantOutput,
  getStoreItemOutput,
  StoreItem,
} from "pulumi-agentserver";

const agent = new Deployment("agent", {
  name: "support-agent",
  source: "internal_source",
  sourceConfig: { deploymentType: "serverless" },
  sourceRevisionConfig: { folder: "./agent" },
});

const item = new StoreItem("rates", {
  deployment: agent,
  namespace: ["shop"],
  key: "rates",
  value: { eur: 1.1 },
});
const byOutput = getStoreItemOutput({ deployment: agent, namespace: item.namespace, key: item.key });
const byOption = getStoreItemOutput(
  { deployment: agent, namespace: ["shop"], key: "rates" },
  { dependsOn: item },
);

const brief = getAssistantOutput({ deployment: agent, name: "Brief" });
const token = authenticateOutput({ provider: "github", scopes: ["repo"], userId: "ada" });

export const found = [byOutput, byOption, brief];
export { token };
