import type { DeploymentRecord } from "../../../wire";
import type { DeploymentInputs } from "../inputs";
import { secretsOf } from "../mapping";
import { foreignTag, holderInWords, ownerOf, ownTag, tagOf } from "../ownership-tag";
import type { DeploymentPatch, DeploymentPlan } from "../plan";
import type { Operation } from "../../resource/operation";

/** A patch, and the ownership tag that goes along if it sends secrets. */
export interface TaggedPatch {
  patch: DeploymentPatch | undefined;
  tag: string;
}

/**
 * The patch of an adoption, with the ownership tag in it. Where secrets make a revision, a deployment without a tag gets
 * it with its next revision: an adoption alone makes none. The tag of another resource is replaced at once, since that
 * one would go on changing the deployment.
 */
export function tagWithAdoption(
  op: Operation,
  record: DeploymentRecord,
  inputs: DeploymentInputs,
  { patch, newRevision }: DeploymentPlan,
): TaggedPatch {
  const tag = ownTag(op, record);
  if (ownerOf(record) === op.ownerId) return { patch, tag };
  const secrets = inputs.secrets ?? secretsOf(record);
  if (!secrets) {
    op.log(
      "warning",
      `Deployment ${record.id} cannot be tagged as owned, because the control plane does not return its secrets: other stacks do not see that it belongs to this one. Declare \`secrets\` to have it tagged.`,
    );
    return { patch, tag };
  }
  const revises = op.dialect.revises.secrets && !newRevision;
  if (revises && ownerOf(record) === undefined) {
    op.log(
      "info",
      `Deployment ${record.id} gets its ownership tag with its next revision, because the tag alone would make one.`,
    );
    return { patch, tag };
  }
  if (revises)
    op.log(
      "info",
      `Deployment ${record.id} carries the ownership tag of ${holderInWords(foreignTag(op, record)!)}; replacing the tag makes a revision.`,
    );
  return { patch: { ...patch, secrets }, tag };
}

/**
 * The patch of a create that resumes one that was cut off. The tag counts the revisions that such creates make: this one
 * may be cut off as well.
 */
export function tagWithResumption(
  op: Operation,
  record: DeploymentRecord,
  inputs: DeploymentInputs,
  { patch, newRevision }: DeploymentPlan,
): TaggedPatch {
  const { revisions = 1 } = tagOf(record) ?? {};
  if (!newRevision) return { patch, tag: ownTag(op, record, revisions) };
  const secrets = inputs.secrets ?? secretsOf(record);
  const tag = ownTag(op, record, revisions + 1);
  return { patch: secrets ? { ...patch, secrets } : patch, tag };
}

/**
 * The patch of an update, with the tag that an adoption left to the next revision. The tag of another resource, which
 * adopted the deployment, is replaced at once: it gets here only where `adopt` is `always`.
 */
export function tagWithUpdate(
  op: Operation,
  record: DeploymentRecord,
  inputs: DeploymentInputs,
  { patch, newRevision }: DeploymentPlan,
): TaggedPatch {
  const tag = ownTag(op, record);
  const secrets = inputs.secrets ?? secretsOf(record);
  const other = foreignTag(op, record);
  if (other) {
    op.log("warning", `Deployment ${record.id} is taken back from ${holderInWords(other)}.`);
    return { patch: { ...patch, secrets }, tag };
  }
  const isLeft = op.dialect.revises.secrets && secrets && ownerOf(record) === undefined;
  return { patch: isLeft && newRevision ? { ...patch, secrets } : patch, tag };
}
