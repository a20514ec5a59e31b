import type { Operation } from "./operation";

/** Reports which revision took the place of one that was never rolled out. */
export async function reportSuperseded(
  op: Operation,
  deploymentId: string,
  revisionId: string,
): Promise<void> {
  // By now the deployment must reach the state, whether or not the newer revision can be looked up.
  const newer = (await op.client.revisionsAfter(deploymentId, revisionId, op.signal).catch(() => [])) ?? [];
  const successor = newer.findLast(({ status }) => !op.dialect.table.supersededStatuses.includes(status));
  const by = successor ? `revision ${successor.id} (${successor.status})` : "a newer revision";
  op.log(
    "warning",
    `revision ${revisionId} was superseded by ${by} before it was rolled out; does not wait for that`,
  );
}
