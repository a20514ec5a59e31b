import * as pulumi from "@pulumi/pulumi";
import { AgentService, promote, type PromotionGate } from "pulumi-agentserver";

const config = new pulumi.Config();
const environment = pulumi.getStack();
const name = `promotion-${environment}`;

/** Returns the source that the stack of the previous environment has verified, if the gate allows its promotion. */
function promoteFrom(upstream: string) {
  const stack = new pulumi.StackReference(`${pulumi.getOrganization()}/${pulumi.getProject()}/${upstream}`);
  return promote({
    from: stack.getOutput("verified"),
    fromName: upstream,
    to: { name },
    gate: config.getObject<PromotionGate>("gate"),
  });
}

const upstream = config.get("upstream");
const promotion = upstream === undefined ? undefined : promoteFrom(upstream);

const agent = new AgentService("agent", {
  name,
  source: "github",
  sourceConfig: { repoUrl: config.require("repoUrl"), deploymentType: "dev", buildOnPush: false },
  sourceRevisionConfig: promotion?.sourceRevisionConfig ?? {
    repoRef: config.require("commit"),
    graphConfigPath: "langgraph.json",
  },
  environmentVariables: { STAGE: environment },
  rollout: { timeout: "5m", verify: { graph: "agent" } },
  assistants: { brief: { graph: "agent", name: "Brief" } },
});

export const url = agent.url;
export const verified = agent.verified;
// Pulumi warns about an output that is undefined.
export const waiting = promotion?.apply(({ waiting: sentence }) => sentence ?? null) ?? null;
