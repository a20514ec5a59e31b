import { AgentService } from "pulumi-agentserver";

const support = new AgentService("support", {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://github.com/example/agents", deploymentType: "prod", buildOnPush: false },
  sourceRevisionConfig: { repoRef: "v1.4.0", graphConfigPath: "langgraph.json" },
  assistants: { brief: { graph: "agent", context: { style: "brief" } } },
  crons: { report: { assistant: "brief", schedule: "0 9 * * 1-5", input: { messages: [] } } },
  memory: { handbook: { namespace: ["handbook"], folder: "./handbook" } },
});

export const url = support.url;
