import { walkAuthentication } from "./authentication";
import { walkDeletions, walkDeployments } from "./deployments";
import type { Ground } from "./ground";
import { walkLogs, walkRevisions } from "./revisions";
import { walkIntegrations, walkListeners } from "./references";

/** Calls every operation of the control plane, both successfully and with the documented errors. */
export async function walkControlPlane(ground: Ground): Promise<void> {
  ground.plane.admin.steer({ logs: [{ message: "cloning" }, { message: "building" }] });
  await walkIntegrations(ground);
  const { deploymentId, imageId } = await walkDeployments(ground);
  await walkRevisions(ground, deploymentId);
  await walkLogs(ground, deploymentId);
  await walkDeletions(ground, deploymentId, imageId);
  await walkListeners(ground);
  await walkAuthentication(ground);
}
