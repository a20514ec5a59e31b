import type { DeploymentRecord } from "../../../wire";
import { isSameJson } from "../../resource/inputs/json";
import type { ControlPlaneOperation } from "../../resource/operation";
import { isBuiltFrom, merge } from "../current";
import { newerOrNewest } from "./newer-revisions";
import type { DeploymentState } from "../state";

/**
 * Returns the revision that this resource's last change created, if the control plane did not say which: the oldest one
 * since then with its source, or with its settings and secrets if it sent no source. If it is not certain which ones are
 * newer, only the newest qualifies. `undefined` if there is none: a revision of anything else is not this resource's.
 */
export async function madeSince(
  op: ControlPlaneOperation,
  state: DeploymentState,
  record: DeploymentRecord,
): Promise<string | undefined> {
  const { since, keepsSource } = state.awaitedRevision!;
  const newer = await newerOrNewest(op, record.id, since);
  const { before, inputs } = merge(state, { record, ownerId: op.resource.ownerId });
  if (keepsSource) {
    const others = { sourceRevisionConfig: undefined };
    return isSameJson({ ...inputs, ...others }, { ...before, ...others }) ? newer.at(-1)?.id : undefined;
  }
  // A server that keeps refs as they are given reports no commit instead of a branch.
  const certainty = { anyBranch: op.plane.dialect.table.resolvesRefs, unreported: true };
  return newer.findLast(({ source_revision_config }) =>
    isBuiltFrom({ ...record, source_revision_config }, before, certainty),
  )?.id;
}
