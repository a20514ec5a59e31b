import { getDeployments } from "../functions/get-deployments";
import { getRevisions } from "../functions/get-revisions";
import type { Promoted } from "./promotion";

/** What a deployment of this name serves, as the control plane says; nothing where there is none. */
export async function servedBy(name: string): Promise<Promoted | undefined> {
  const found = await getDeployments({ filters: { nameContains: name } });
  const deployment = found.find((one) => one.name === name);
  if (!deployment) return undefined;
  const revisions = await getRevisions(deployment.id);
  const revision =
    revisions.find(({ id }) => id === deployment.activeRevisionId) ??
    revisions.find(({ status }) => status === "DEPLOYED");
  const what = revision?.imageUri ?? revision?.repoRef;
  return what === undefined ? undefined : { what, graphConfigPath: revision?.graphConfigPath };
}
