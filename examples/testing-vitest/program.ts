import * as pulumi from "@pulumi/pulumi";
import { Deployment, promote } from "pulumi-agentserver";

const shared = {
  source: "github",
  sourceConfig: {
    repoUrl: "https://github.com/example/support-agent",
    deploymentType: "prod",
    buildOnPush: false,
  },
};

/** Deploys a commit to staging, and promotes it to production once it is approved. */
export function program() {
  const config = new pulumi.Config();
  const staging = new Deployment("staging", {
    ...shared,
    name: "support-staging",
    sourceRevisionConfig: { repoRef: config.require("commit"), graphConfigPath: "langgraph.json" },
    environmentVariables: { GREETING: config.get("greeting") ?? "Hello" },
    rollout: { timeout: "1m", onFailure: "rollback", verify: { ok: false } },
  });
  const promotion = promote({
    from: staging.verified,
    fromName: "staging",
    to: { name: "support" },
    gate: { approved: config.get("approved") ?? null },
  });
  new Deployment("production", {
    ...shared,
    name: "support",
    sourceRevisionConfig: promotion.sourceRevisionConfig,
    rollout: { timeout: "1m", onFailure: "rollback", verify: { ok: false } },
  });
  return Promise.resolve({ waiting: promotion.waiting });
}
