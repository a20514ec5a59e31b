import type { DeploymentRecord } from "../../../wire";
import { ownerOf } from "../ownership/tag";
import { isIdentifiedBy, type Identity } from "../inputs/identity";
import type { ControlPlaneOperation } from "../../resource/operation";
import { isBeingDeleted } from "../ownership/find-deployment";

/**
 * Reports deployments that carry this resource's ownership tag under another name: a create that was cut off may have
 * left one, and no state knows of it. It is not deleted, for another state may have it.
 * @param predecessor the deployment that the new one replaces, and that state does know of
 */
export async function reportLeftovers(
  op: ControlPlaneOperation,
  identity: Identity,
  predecessor?: string,
): Promise<void> {
  // What is to be made does not depend on it.
  const all = await op.plane.deploymentsAtStart().catch(() => []);
  const isLeft = (record: DeploymentRecord) =>
    ownerOf(record) === op.resource.ownerId &&
    !isIdentifiedBy(identity, record) &&
    record.id !== predecessor &&
    !isBeingDeleted(record);
  for (const listed of all.filter(isLeft)) {
    // This very run may have deleted it since, as for a replacement under another name.
    const record = await op.plane.client.deployments.find(listed.id, op.time.signal).catch(() => listed);
    if (!record || !isLeft(record)) continue;
    const { id, name: other } = record;
    op.report.log(
      "warning",
      `deployment "${other}" (${id}) carries this resource's own ownership tag, from a create under that name that did not finish, and no state of this stack knows it. If nobody uses it, delete it; to adopt it, give the resource that name again.`,
    );
  }
}
