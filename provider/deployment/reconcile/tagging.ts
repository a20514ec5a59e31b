import type { DeploymentRecord } from "../../../wire";
import type { DeploymentInputs } from "../inputs/inputs";
import { completed, environmentOf, type Variables } from "../inputs/environment";
import { secretsOf } from "../mapping";
import { foreignTag, holderInWords, ownerOf, ownTag, tagOf } from "../ownership/tag";
import type { DeploymentPlan, WholePatch } from "../plan/plan";
import { AgentServerError } from "../../errors";
import type { ControlPlaneOperation } from "../../resource/operation";

/** A patch, and the ownership tag that goes along if it sends secrets. */
export interface TaggedPatch {
  patch: WholePatch | undefined;
  tag: string;
}

/** The environment that goes along with a tag, and the patch with it where it changes. */
interface Sendable {
  patch: WholePatch | undefined;
  /** Nothing where the server does not report all of what has to stay. */
  environment: Variables | undefined;
}

/**
 * The patch of an adoption, with the ownership tag in it. Where secrets make a revision, a deployment without a tag gets
 * it with its next revision: an adoption alone makes none. The tag of another resource is replaced at once, since that
 * one would go on changing the deployment.
 */
export function tagWithAdoption(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  inputs: DeploymentInputs,
  { patch: planned, newRevision }: DeploymentPlan,
): TaggedPatch {
  const tag = ownTag(op, record);
  const { patch, environment } = sendable(record, inputs, planned);
  if (ownerOf(record) === op.resource.ownerId) return { patch, tag };
  if (!environment) {
    op.report.log(
      "warning",
      `Deployment ${record.id} cannot be tagged as owned, because the control plane does not return its secrets: other stacks do not see that it belongs to this one. Declare \`secrets\` to have it tagged.`,
    );
    return { patch, tag };
  }
  const revises = op.plane.dialect.revises.secrets && !newRevision;
  if (revises && ownerOf(record) === undefined) {
    op.report.log(
      "info",
      `Deployment ${record.id} gets its ownership tag with its next revision, because the tag alone would make one.`,
    );
    return { patch, tag };
  }
  if (revises)
    op.report.log(
      "info",
      `Deployment ${record.id} carries the ownership tag of ${holderInWords(foreignTag(op.resource, record)!)}; replacing the tag makes a revision.`,
    );
  return { patch: { ...patch, environment }, tag };
}

/**
 * The patch of a create that resumes one that was cut off. The tag counts the revisions that such creates make: this one
 * may be cut off as well.
 */
export function tagWithResumption(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  inputs: DeploymentInputs,
  { patch: planned, newRevision }: DeploymentPlan,
): TaggedPatch {
  const { revisions = 1 } = tagOf(record) ?? {};
  const { patch, environment } = sendable(record, inputs, planned);
  // The tag counts what makes a revision beside the source from the start.
  const isCounted = !patch || Object.keys(patch).every((group) => group === "settings" || group === "tiers");
  if (!newRevision || isCounted) return { patch, tag: ownTag(op, record, revisions) };
  const tag = ownTag(op, record, revisions + 1);
  return { patch: environment ? { ...patch, environment } : patch, tag };
}

/**
 * The patch of an update, with the tag that an adoption left to the next revision. The tag of another resource, which
 * adopted the deployment, is replaced at once: it gets here only where `adopt` is `always`.
 */
export function tagWithUpdate(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  inputs: DeploymentInputs,
  { patch: planned, newRevision }: DeploymentPlan,
): TaggedPatch {
  const tag = ownTag(op, record);
  const { patch, environment } = sendable(record, inputs, planned);
  const other = foreignTag(op.resource, record);
  if (other) return { patch: { ...patch, environment }, tag };
  const isLeft = op.plane.dialect.revises.secrets && environment && ownerOf(record) === undefined;
  return { patch: isLeft && newRevision ? { ...patch, environment } : patch, tag };
}

/** @throws AgentServerError where plain variables change and the server keeps to itself what has to stay beside them */
function sendable(
  record: DeploymentRecord,
  inputs: DeploymentInputs,
  planned: DeploymentPlan["patch"],
): Sendable {
  const { environment: wanted, ...others } = planned ?? {};
  // Before there is a revision, no server reports the environment: it is what the create has sent.
  const found = record.latest_revision_id ? secretsOf(record) : {};
  const environment = completed(wanted ?? environmentOf(inputs), found);
  // The tag says what was uploaded, and travels with the environment.
  const uploads = planned?.sourceRevisionConfig?.folder !== undefined;
  if (!wanted)
    return { patch: planned && { ...others, ...(uploads && environment && { environment }) }, environment };
  if (environment) return { patch: { ...others, environment }, environment };
  throw new AgentServerError(
    "bad_configuration",
    `The plain variables of deployment ${record.id} cannot be changed by themselves: the control plane takes the whole environment and does not return the values of its other secrets, which would be lost. Declare \`secrets\` as well. Nothing was changed.`,
    { deploymentId: record.id },
  );
}
