import type { DeploymentRecord } from "../../../wire";
import { isSameJson } from "../../resource/inputs/json";
import type { ControlPlaneOperation } from "../../resource/operation";
import { asRecorded } from "../drift";
import { newerOrNewest } from "./newer-revisions";
import { inputsIn, type DeploymentState } from "../state";

/**
 * The revision that this resource's last change made, where the control plane did not say which: the oldest one since
 * then with its source, or with its settings and secrets where it sent no source. Where it cannot be said which ones are
 * newer, the newest alone comes into question. Nothing where there is none: a revision of anything else is somebody
 * else's.
 */
export async function madeSince(
  op: ControlPlaneOperation,
  state: DeploymentState,
  record: DeploymentRecord,
): Promise<string | undefined> {
  const { since, keepsSource } = state.awaitedRevision!;
  const newer = await newerOrNewest(op, record.id, since);
  const wanted = inputsIn({ ...state });
  // A server that keeps refs as they are given reports no commit in place of a branch.
  const how = op.plane.dialect.table.resolvesRefs ? {} : { keepsRefs: true };
  if (keepsSource) {
    const { sourceRevisionConfig: _, ...recorded } = asRecorded(wanted, record);
    const { sourceRevisionConfig: __, ...others } = wanted;
    return isSameJson(recorded, others) ? newer.at(-1)?.id : undefined;
  }
  return newer.findLast(({ source_revision_config }) => {
    const { sourceRevisionConfig } = asRecorded(wanted, { ...record, source_revision_config }, how);
    return isSameJson(sourceRevisionConfig, wanted.sourceRevisionConfig);
  })?.id;
}
