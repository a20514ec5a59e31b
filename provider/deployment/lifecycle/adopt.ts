import type { DeploymentRecord } from "../../control-plane/wire";
import { AgentServerError } from "../../errors";
import type { DeploymentInputs } from "../inputs";
import { ownerOf } from "../mapping";
import { plan, type LastRollout } from "../plan/plan";
import { listChanges } from "../plan/reasons";
import { asRecorded } from "./drift";
import { lastRolloutOnServer, unlessUnverified } from "./last-rollout";
import { markWithAdoption } from "./mark";
import type { LifecycleResult, Operation } from "./operation";
import { settleAndDescribe } from "./outcome";
import { writePatch } from "./patch";

/**
 * Takes on a deployment that exists: marks it, brings it to the wanted inputs and waits where there is a rollout. One
 * that is as wanted gets no revision, however somebody else's last rollout ended.
 */
export async function adoptDeployment(
  op: Operation,
  inputs: DeploymentInputs,
  record: DeploymentRecord,
): Promise<LifecycleResult> {
  const owned = ownerOf(record) === op.ownerId;
  op.log(
    owned ? "warning" : "info",
    owned
      ? `adopts ${record.id}: it carries this resource's own mark, from a create that did not finish (or from a stack of the same name elsewhere)`
      : `adopts ${record.id}`,
  );
  const last = await lastRolloutOnServer(op, record.id, record.latest_revision_id ?? undefined);
  const steps = plan({
    // What this resource left may be of another program than today's; what somebody else made is left as it is.
    before:
      owned && !op.dialect.table.resolvesRefs ? asRecorded(inputs, record, true) : asRecorded(inputs, record),
    wanted: inputs,
    lastRollout: owned ? unlessUnverified(last.rollout, inputs) : asFound(last),
    dialect: op.dialect,
  });
  if (steps.action === "replace") {
    const fixed = listChanges(steps.changes.filter(({ effect }) => effect === "replace"));
    throw new AgentServerError(
      "immutable_field",
      `Deployment ${record.id} cannot be adopted as it is, for fields differ that cannot be changed: ${fixed}. Give these fields the values that it has, or delete it first.`,
      { deploymentId: record.id },
    );
  }
  const patch = owned ? steps.patch : markWithAdoption(op, record, inputs, steps);
  const patched = patch
    ? await writePatch(op, record, patch, steps.newRevision)
    : { revisionId: record.latest_revision_id ?? undefined };
  const revised = steps.newRevision || patched.revisionId !== (record.latest_revision_id ?? undefined);
  return settleAndDescribe(op, {
    deploymentId: record.id,
    inputs,
    revisionId: patched.revisionId,
    unseen: patched.unseen,
    wait: inputs.rollout?.wait !== false,
    isOwn: owned || revised,
  });
}

/** What somebody else rolled out is this resource's neither to verify nor to repeat. */
function asFound({ rollout, revision }: { rollout: LastRollout; revision?: object }): LastRollout {
  return rollout === "failed" && revision ? "deployed" : rollout;
}
