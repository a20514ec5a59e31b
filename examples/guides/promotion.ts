import * as pulumi from "@pulumi/pulumi";
import { Deployment, promote } from "pulumi-agentserver";

const staging = new pulumi.StackReference("acme/support/staging");
const promotion = promote({
  from: staging.getOutput("verified"),
  fromName: "staging",
  to: { name: "support-agent" },
  gate: { approvedFrom: "agentserver:approved", soak: "2h" },
});

const agent = new Deployment("agent", {
  name: "support-agent",
  source: "github",
  sourceConfig: { repoUrl: "https://github.com/example/agents", deploymentType: "prod", buildOnPush: false },
  sourceRevisionConfig: promotion.sourceRevisionConfig,
  rollout: { verify: { graph: "agent" } },
});

export const verified = agent.verified;
export const waiting = promotion.apply(({ waiting }) => waiting ?? null);
