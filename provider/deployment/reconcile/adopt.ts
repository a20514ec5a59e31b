import type { DeploymentRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import type { DeploymentInputs } from "../inputs/inputs";
import type { DeploymentState } from "../state";
import { plan, type DeploymentPlan, type PlanRequest } from "../plan/plan";
import { listChanges } from "../../resource/plan";
import { environmentFor, merge } from "../current";
import { foreignTag, describeHolder, isTagged, ownerOf, tagOf } from "../ownership/tag";
import { lastRolloutOnServer, unlessUnverified } from "../rollout/last-rollout";
import { asFound } from "./plan-against-server";
import type { ControlPlaneOperation } from "../../resource/operation";
import type { Result } from "../../resource/operation";
import { finishRollout } from "../rollout/finish";
import { apply, incompleteEnvironment } from "../apply";

/** An existing deployment that can be adopted. */
export interface Existing {
  record: DeploymentRecord;
  /**
   * True if this resource created the deployment, in an interrupted create or before a replacement that is no longer
   * needed.
   */
  isOwn: boolean;
  /** True if the deployment was in state as pending deletion, and its replacement is no longer needed. */
  isKept?: true;
}

/**
 * Adopts a deployment: writes the ownership tag, updates the deployment to match the inputs, and waits for the rollout
 * if there is one. If the deployment already matches, no revision is created, even if its last rollout failed.
 */
export async function adoptDeployment(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  { record, isOwn, isKept }: Existing,
): Promise<Result<DeploymentState>> {
  const found = record.latest_revision_id ?? undefined;
  const last = await lastRolloutOnServer(op, record.id, found);
  const { dialect } = op.plane;
  const current = merge(undefined, { record, ownerId: op.resource.ownerId, isOwn });
  const tag = tagFor(op, record, isOwn);
  const isWritable = environmentFor(inputs, current, record, dialect) !== undefined;
  // The plain variables of a kept deployment are left unchanged if the server does not report all variables.
  const leavesEnvironment = isKept && !isWritable;
  const steps = plan({
    current,
    wanted: leavesEnvironment ? { ...inputs, environmentVariables: undefined } : inputs,
    lastRollout: isOwn ? unlessUnverified(last.rollout, inputs) : asFound(last),
    dialect,
    tag,
  });
  if (steps.action === "replace") {
    const fixed = listChanges(
      steps.changes.filter(({ effect }) => effect === "replace"),
      op.report.redact,
    );
    throw new AgentServerError(
      "immutable_field",
      `Deployment ${record.id} cannot be adopted, because these fields differ and cannot be changed: ${fixed}. Set these fields to the deployment's values, or delete the deployment first.`,
      { deploymentId: record.id },
    );
  }
  // Only the tag makes this resource the owner. It can be deferred if a later revision writes it anyway and no other
  // resource can have written one.
  const mayLack = isKept ?? (tag === "with revision" && isTagged(record) === false);
  if (tag && !isWritable && !mayLack) throw incompleteEnvironment(op, record);
  if (leavesEnvironment && inputs.environmentVariables)
    op.report.log(
      "warning",
      `The plain variables of deployment ${record.id} were neither compared nor changed, because the control plane does not return the values of all variables.`,
    );
  if (tag && !isOwn) reportTag(op, record, steps, isWritable);
  const {
    createdId: made,
    createdIds,
    ...applied
  } = await apply(op, {
    record,
    current,
    inputs,
    plan: steps,
    ...(isOwn && { creates: countCreates(record, steps) }),
  });
  const left = found === undefined ? undefined : { id: found, ...(!isOwn && { adopted: true as const }) };
  return finishRollout(op, {
    deploymentId: record.id,
    ...applied,
    latestRevisionId: createdIds.at(-1) ?? found,
    awaited: made ?? left,
    ownRevisionIds: createdIds,
    wait: inputs.rollout?.wait !== false,
    action: "adopted",
  });
}

/**
 * Determines when an adoption writes the ownership tag. If a change to secrets creates a revision, a deployment without
 * a tag receives the tag with its next revision, because an adoption alone does not create a revision. The tag of
 * another resource is replaced immediately, because that resource would otherwise continue to change the deployment.
 */
function tagFor(op: ControlPlaneOperation, record: DeploymentRecord, isOwn: boolean): PlanRequest["tag"] {
  const owner = ownerOf(record);
  if (isOwn) return "with revision";
  if (owner === op.resource.ownerId) return undefined;
  return owner === undefined && op.plane.dialect.revises.secrets ? "with revision" : "now";
}

function reportTag(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  { patch }: DeploymentPlan,
  isWritable: boolean,
): void {
  const other = foreignTag(op.resource, record);
  if (!isWritable)
    op.report.log(
      "warning",
      `Deployment ${record.id} is adopted without an ownership tag, so another stack can adopt it unnoticed. The tag can only be written together with the other variables, and the control plane may not return their values. Declare \`secrets\` to write it.`,
    );
  else if (!patch?.environment)
    op.report.log(
      "info",
      `Deployment ${record.id} gets its ownership tag with its next revision, because adding only the tag would create a revision.`,
    );
  else if (other && op.plane.dialect.revises.secrets && !patch.sourceRevisionConfig)
    op.report.log(
      "info",
      `Deployment ${record.id} has the ownership tag of ${describeHolder(other)}; replacing the tag creates a revision.`,
    );
}

/**
 * Returns the number of revisions that interrupted creates have created, including this create, which may be
 * interrupted as well.
 */
function countCreates(record: DeploymentRecord, { patch = {}, newRevision }: DeploymentPlan): number {
  const { revisions = 1 } = tagOf(record) ?? {};
  // The count of a create already includes the revisions that settings create.
  const isExtra = patch.sourceRevisionConfig ?? patch.sourceConfig ?? patch.environment === "required";
  return newRevision && isExtra ? revisions + 1 : revisions;
}
