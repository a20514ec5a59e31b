import { systemClock } from "./clock";
import type { ConfigReader } from "./control-plane/connection";
import { findIntegration, type ReachingIntegration } from "./deployment/find-integration";
import {
  listDeployments,
  lookUpDeployment,
  type DeploymentFilters,
  type WantedDeployment,
} from "./deployment/look-up";
import { Session } from "./session";

/** What a program may ask the control plane, beside the resources that it declares. */
export function lookUpsWith(config: ConfigReader, env: NodeJS.ProcessEnv) {
  const client = new Session({ config, env, clock: systemClock, random: Math.random }).client();
  return {
    deployment: (wanted: WantedDeployment) => lookUpDeployment(client, wanted),
    deployments: (filters: DeploymentFilters) => listDeployments(client, filters),
    integration: (repoUrl: string): Promise<ReachingIntegration> => findIntegration(client, repoUrl),
    listeners: () => client.listeners.list(),
    revisions: (deploymentId: string) => client.revisions.pages(deploymentId),
  };
}
