import {
  Deployment,
  Environments,
  getDeploymentOutput,
  getIntegrationOutput,
  promote,
} from "pulumi-agentserver";

const agent = new Deployment("agent", {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://github.com/example/agents" },
  sourceRevisionConfig: { repoRef: "v1.4.0", graphConfigPath: "langgraph.json" },
  connection: { region: "eu", tenantId: "<WORKSPACE_ID>", apiKeyFrom: "agentserver:euKey" },
});

const environments = new Environments("environments", {
  name: "shop-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://github.com/example/agents" },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
  environments: [
    { environment: "staging" },
    {
      environment: "production",
      connection: { region: "eu", tenantId: "<WORKSPACE_ID>", apiKeyFrom: "agentserver:productionKey" },
      gate: { approvedFrom: "approved" },
    },
  ],
});

const staging = getDeploymentOutput({
  name: "support-agent",
  connection: { region: "eu", tenantId: "<WORKSPACE_ID>", apiKeyFrom: "stagingApiKey" },
  verify: { graph: "agent" },
});
const promotion = promote({ from: staging.verified, to: { name: "support-agent" } });

const integration = getIntegrationOutput({ repoUrl: "https://github.com/example/agents" });

export const urls = [agent.url, environments.urls];
export const { artifact } = promotion;
export const integrationId = integration.id;
