import { Deployment } from "pulumi-agentserver";

const agent = new Deployment("agent", {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://github.com/example/agents", deploymentType: "prod" },
  sourceRevisionConfig: { repoRef: "v1.4.0", graphConfigPath: "langgraph.json" },
  rollout: {
    verify: {
      graph: "agent",
      run: { input: { messages: [{ role: "user", content: "hours" }] }, expect: "nine to five" },
    },
    onFailure: "rollback",
  },
});

export const verified = agent.verified;
