import { getDeployments } from "../functions/get-deployments";
import { getRevisions } from "../functions/get-revisions";
import type { EnvironmentsArgs } from "./environments-args";
import type { Promoted } from "./promotion";

/** Returns the commit or image that a deployment serves; `undefined` if the deployment does not exist. */
export async function findServed(
  name: string,
  source: EnvironmentsArgs["source"],
): Promise<Promoted | undefined> {
  const found = await getDeployments({ filters: { nameContains: name } });
  const deployment = found.find((one) => one.name === name);
  if (!deployment) return undefined;
  const revisions = await getRevisions(deployment.id);
  const revision =
    revisions.find(({ id }) => id === deployment.activeRevisionId) ??
    revisions.find(({ status }) => status === "DEPLOYED");
  // A revision of a repository may report the image that it was built into as well.
  const artifact = source === "github" ? revision?.repoRef : revision?.imageUri;
  return artifact === undefined ? undefined : { artifact, graphConfigPath: revision?.graphConfigPath };
}
