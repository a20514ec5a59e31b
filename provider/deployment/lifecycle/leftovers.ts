import { ownerOf } from "../mapping";
import type { Operation } from "./operation";
import { isBeingDeleted } from "./presence";

/**
 * Tells of deployments that carry this resource's mark under another name: a create that was cut off may have left one,
 * and no state knows of it. It is not deleted, for a stack of the same name elsewhere may have it.
 */
export async function reportLeftovers(op: Operation, name: string): Promise<void> {
  // What is to be made does not depend on it.
  const all = await op.client.listDeployments(op.signal).catch(() => []);
  const left = all.filter(
    (record) => ownerOf(record) === op.ownerId && record.name !== name && !isBeingDeleted(record),
  );
  for (const { id, name: other } of left)
    op.log(
      "warning",
      `deployment "${other}" (${id}) carries this resource's own mark, from a create under that name that did not finish (or from a stack of the same name elsewhere), and no state of this stack knows it. If nobody uses it, delete it; to take it up, give the resource that name again.`,
    );
}
