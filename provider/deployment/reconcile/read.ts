import { revisionPhase } from "../../control-plane/dialects";
import type { DeploymentRecord } from "../../../wire";
import type { DeploymentInputs } from "../inputs/inputs";
import { inputsIn, lastRolloutOf, schemaVersion, type DeploymentState } from "../state";
import { describeHolder, foreignTag } from "../ownership/tag";
import { compare } from "../plan/compare";
import { merge } from "../current";
import { sentInputsAfterRead } from "../sent-inputs";
import { fromWireSourceRevisionConfig } from "../mapping";
import { importedInputs } from "../imported-inputs";
import { lastRolloutOnServer } from "../rollout/last-rollout";
import { pulumiCommand } from "../../resource/commands";
import type { Found } from "../../resource/kind";
import type { ControlPlaneOperation } from "../../resource/operation";
import { controlPlaneOf, urlOf, requireOwned } from "../ownership/find-deployment";
import { serving } from "../rollout/finish";
import { verifiedAfter } from "../rollout/verified";
import { recordSeen, rolledOutOf, type SeenRecord, settledAs } from "../rollout/record";

/**
 * Reads the deployment for `refresh`, for an import, and for `Deployment.get`.
 * @param known the previous state; `undefined` if only the ID is known
 * @returns `undefined` if the deployment no longer exists
 */
export async function readDeployment(
  op: ControlPlaneOperation,
  id: string,
  known: DeploymentState | undefined,
): Promise<Found<DeploymentInputs, DeploymentState> | undefined> {
  const record = await requireOwned(op, id);
  if (!record) return undefined;
  const inputs = known
    ? merge(known, { record, ownerId: known.ownerId }).inputs
    : importedInputs(record, op.plane.dialect);
  const latestRevisionId = record.latest_revision_id ?? known?.latestRevisionId ?? "";
  const ownerId = known?.ownerId ?? op.resource.ownerId;
  const tag = foreignTag({ ownerId }, record);
  const heldBy = tag && describeHolder(tag);
  const served = await serving(op, record, undefined, known);
  const state: DeploymentState = {
    ...inputs,
    url: urlOf(record) ?? known?.url,
    ...(known ? await recordNow(op, record, known, inputs) : await firstRecord(op, id, latestRevisionId)),
    latestRevisionId,
    rolledOut: known ? known.rolledOut : await servedSource(op, id, inputs, served?.revisionId),
    sentInputs: known && sentInputsAfterRead(known, inputs),
    serving: served,
    verified: verifiedAfter(known?.verified, served?.revisionId),
    controlPlane: controlPlaneOf(op, record),
    ownerId,
    heldBy,
    omitted: known?.omitted,
    schemaVersion,
  };
  if (known && heldBy) warnOfLoss(op, id, heldBy, known);
  return { state, inputs };
}

/** Warns that this resource no longer owns its deployment. */
function warnOfLoss(op: ControlPlaneOperation, id: string, holder: string, { adopt }: DeploymentState): void {
  op.report.log(
    "warning",
    adopt === "always"
      ? `Deployment ${id} is owned by ${holder}. The next \`pulumi up\` reclaims it, because \`adopt\` is "always".`
      : `Deployment ${id} is owned by ${holder}, so this stack can neither change nor delete it. Either reclaim it with \`adopt: "always"\`, or stop managing it here with ${pulumiCommand("state delete", op.resource.identity.urn)}.`,
  );
}

/**
 * Returns the rollouts to store in state. If a rollout has not finished according to the state, requests its status.
 * The result of a finished rollout does not change, unless a refresh has read inputs that only a newer revision can
 * have. In that case, the newer revision determines whether the inputs are in effect.
 */
async function recordNow(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  known: DeploymentState,
  inputs: DeploymentInputs,
): Promise<SeenRecord> {
  const { awaitedRevision, settledRevision, goodRevisionId, unverifiedRevisionIds } = known;
  const verifies = Boolean(known.rollout?.verify);
  const newest = record.latest_revision_id ?? known.latestRevisionId;
  const isNew = newest !== known.latestRevisionId && newest !== awaitedRevision?.id;
  if (isNew && needRevision(op, known, inputs)) {
    const { revision } = await lastRolloutOnServer(op, record.id, newest);
    const seen = recordSeen(op, known, { id: newest, revision, verifies });
    if (lastRolloutOf(seen) !== "deployed") return seen;
  }
  // Without the ID of the awaited revision, the next update determines the revision, and whether it passes
  // verification.
  if (!awaitedRevision?.id)
    return { awaitedRevision, settledRevision, goodRevisionId, unverifiedRevisionIds };
  const { revision } = await lastRolloutOnServer(op, record.id, awaitedRevision.id);
  return recordSeen(op, known, { ...awaitedRevision, revision, verifies });
}

/** True if the inputs in state differ from these inputs in values that take effect only with a new revision. */
function needRevision(
  { plane: { dialect } }: ControlPlaneOperation,
  known: DeploymentState,
  inputs: DeploymentInputs,
): boolean {
  const changes = compare(inputsIn({ ...known }), inputs, dialect, () => false);
  return changes.some(({ effect }) => effect === "revision");
}

/**
 * Returns the source that a deployment serves, for a read by ID only. The inputs are not sufficient for this, because
 * they contain a branch instead of its commit, and because a later rollout may have failed. If no revision serves
 * requests, returns the source in the inputs.
 */
async function servedSource(
  op: ControlPlaneOperation,
  id: string,
  inputs: DeploymentInputs,
  servingId: string | undefined,
): Promise<DeploymentState["rolledOut"]> {
  const { revision } = await lastRolloutOnServer(op, id, servingId);
  const sourceRevisionConfig = fromWireSourceRevisionConfig(revision?.source_revision_config);
  return rolledOutOf(revision ? { ...inputs, sourceRevisionConfig } : inputs, revision);
}

/** Returns the rollouts to store in state for a read by ID only: the newest revision, if its rollout has finished. */
async function firstRecord(
  op: ControlPlaneOperation,
  id: string,
  latestRevisionId: string,
): Promise<SeenRecord> {
  const { revision } = await lastRolloutOnServer(op, id, latestRevisionId || undefined);
  const isSettled = revision && revisionPhase(revision.status, op.plane.dialect) !== "progress";
  return isSettled ? { settledRevision: settledAs(op, revision) } : {};
}
