import type { Resource } from "@pulumi/pulumi";
import { runFor } from "../functions/run";
import type { EnvironmentsArgs } from "./environments-args";
import type { Promoted } from "./promotion";

/**
 * Returns the commit or image that a deployment serves; `undefined` if the deployment does not exist.
 * @param component component whose connection is used
 */
export async function findServed(
  name: string,
  source: EnvironmentsArgs["source"],
  component: Resource,
): Promise<Promoted | undefined> {
  const { deployments } = await runFor(component, "getDeployments", { filters: { nameContains: name } });
  const deployment = deployments.find((one) => one.name === name);
  if (!deployment) return undefined;
  const { revisions } = await runFor(component, "getRevisions", { deploymentId: deployment.id });
  const revision =
    revisions.find(({ id }) => id === deployment.activeRevisionId) ??
    revisions.find(({ status }) => status === "DEPLOYED");
  // A revision of a repository may report the image that it was built into as well.
  const artifact = source === "github" ? revision?.repoRef : revision?.imageUri;
  return artifact === undefined ? undefined : { artifact, graphConfigPath: revision?.graphConfigPath };
}
