import type { DeploymentRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import type { DeploymentInputs } from "../inputs/inputs";
import type { DeploymentState } from "../state";
import { plan, type DeploymentPlan, type PlanRequest } from "../plan/plan";
import { listChanges } from "../../resource/plan";
import { environmentFor, merge } from "../current";
import { foreignTag, holderInWords, ownerOf, tagOf } from "../ownership/tag";
import { lastRolloutOnServer, unlessUnverified } from "../rollout/last-rollout";
import { asFound } from "./plan-against-server";
import type { ControlPlaneOperation } from "../../resource/operation";
import type { Result } from "../../resource/operation";
import { finishRollout } from "../rollout/finish";
import { apply, incomplete } from "../apply";

/** A deployment that exists and may be adopted. */
export interface Existing {
  record: DeploymentRecord;
  /** True if an interrupted create of this resource, or a replacement that was reverted, left it. */
  isOwn: boolean;
}

/**
 * Adopts a deployment: tags it as owned, updates it to match the inputs, and waits for a rollout if there is one. A
 * deployment that already matches gets no revision, however its last rollout ended.
 */
export async function adoptDeployment(
  op: ControlPlaneOperation,
  inputs: DeploymentInputs,
  { record, isOwn }: Existing,
): Promise<Result<DeploymentState>> {
  const found = record.latest_revision_id ?? undefined;
  const last = await lastRolloutOnServer(op, record.id, found);
  const { dialect } = op.plane;
  const current = merge(undefined, { record, ownerId: op.resource.ownerId, isOwn });
  const tag = tagFor(op, record, isOwn);
  const steps = plan({
    current,
    wanted: inputs,
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
      `Deployment ${record.id} cannot be adopted, because these fields differ and cannot be changed: ${fixed}. Give these fields the values that it has, or delete it first.`,
      { deploymentId: record.id },
    );
  }
  // The deployment belongs to this resource only with the tag, which may be written with a later revision.
  if (tag && !environmentFor(inputs, current, record, dialect)) throw incomplete(op, record);
  if (tag && !isOwn) reportTag(op, record, steps);
  const { made, madeIds, ...applied } = await apply(op, {
    record,
    current,
    inputs,
    plan: steps,
    ...(isOwn && { creates: createsAfter(record, steps) }),
  });
  const left = found === undefined ? undefined : { id: found, ...(!isOwn && { adopted: true as const }) };
  return finishRollout(op, {
    deploymentId: record.id,
    ...applied,
    latestRevisionId: madeIds.at(-1) ?? found,
    awaited: made ?? left,
    wait: inputs.rollout?.wait !== false,
    action: "adopted",
  });
}

/**
 * When an adoption writes the ownership tag. If secrets create a revision, a deployment without a tag gets it with its
 * next revision: an adoption alone creates none. The tag of another resource is replaced immediately, because that
 * resource would otherwise continue to change the deployment.
 */
function tagFor(op: ControlPlaneOperation, record: DeploymentRecord, isOwn: boolean): PlanRequest["tag"] {
  const owner = ownerOf(record);
  if (isOwn) return "with revision";
  if (owner === op.resource.ownerId) return undefined;
  return owner === undefined && op.plane.dialect.revises.secrets ? "with revision" : "now";
}

function reportTag(op: ControlPlaneOperation, record: DeploymentRecord, { patch }: DeploymentPlan): void {
  const other = foreignTag(op.resource, record);
  if (!patch?.environment)
    op.report.log(
      "info",
      `Deployment ${record.id} gets its ownership tag with its next revision, because the tag alone would make one.`,
    );
  else if (other && op.plane.dialect.revises.secrets && !patch.sourceRevisionConfig)
    op.report.log(
      "info",
      `Deployment ${record.id} carries the ownership tag of ${holderInWords(other)}; replacing the tag makes a revision.`,
    );
}

/** The tag counts the revisions that unfinished creates make, because this one may be interrupted as well. */
function createsAfter(record: DeploymentRecord, { patch = {}, newRevision }: DeploymentPlan): number {
  const { revisions = 1 } = tagOf(record) ?? {};
  // Settings are counted from the start.
  const isExtra = patch.sourceRevisionConfig ?? patch.sourceConfig ?? patch.environment === "required";
  return newRevision && isExtra ? revisions + 1 : revisions;
}
