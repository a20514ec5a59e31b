import { isBeingDeleted, type DeploymentRecord } from "../../../wire";
import { ownerOf } from "../ownership/tag";
import { isIdentifiedBy, type Identity } from "../inputs/identity";
import type { ControlPlaneOperation } from "../../resource/operation";

/**
 * Reports deployments with this resource's ownership tag and a different name, if they are on the first page of the
 * workspace's list. An interrupted create may have left such a deployment. It is not deleted, because it might be in
 * the state of another stack.
 * @param known deployments that are in state and pending deletion after a replacement
 */
export async function reportLeftovers(
  op: ControlPlaneOperation,
  identity: Identity,
  known: readonly string[],
): Promise<void> {
  // The create does not depend on this list, so errors are ignored.
  const first = await op.plane.deploymentsAtStart().catch(() => []);
  const isOrphan = (record: DeploymentRecord) =>
    ownerOf(record) === op.resource.ownerId &&
    !isIdentifiedBy(identity, record) &&
    !known.includes(record.id) &&
    !isBeingDeleted(record);
  for (const listed of first.filter(isOrphan)) {
    // This run may have deleted the deployment since it was listed, to replace it under another name.
    const record = await op.plane.client.deployments.find(listed.id, op.time.signal).catch(() => listed);
    if (!record || !isOrphan(record)) continue;
    const { id, name: other } = record;
    op.report.log(
      "warning",
      `deployment "${other}" (${id}) has the ownership tag of this resource, from an unfinished create with that name, but is not in the state of this stack. If it is unused, delete it; to adopt it, give the resource that name again.`,
    );
  }
}
