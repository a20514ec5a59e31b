import { revisionPhase } from "../../control-plane/dialects";
import type { DeploymentRecord } from "../../../wire";
import type { DeploymentInputs } from "../inputs/inputs";
import { inputsIn, lastRolloutOf, schemaVersion, type DeploymentState } from "../state";
import { foreignTag, holderInWords, ownerOf } from "../ownership/tag";
import { compare } from "../plan/compare";
import { merge, reportedInputs } from "../current";
import { lastRolloutOnServer } from "../rollout/last-rollout";
import { pulumiCommand } from "../../resource/commands";
import type { Found } from "../../resource/kind";
import type { ControlPlaneOperation } from "../../resource/operation";
import { controlPlaneOf, urlOf, requireOwned } from "../ownership/find-deployment";
import { serving } from "../rollout/finish";
import { settledAs, recordSeen, type SeenRecord } from "../rollout/record";

/**
 * Reads the deployment for `refresh` and for `Deployment.get`.
 * @param known the state so far; nothing when only the id is known
 * @returns nothing when the deployment is gone
 */
export async function readDeployment(
  op: ControlPlaneOperation,
  id: string,
  known: DeploymentState | undefined,
): Promise<Found<DeploymentInputs, DeploymentState> | undefined> {
  const record = await requireOwned(op, id);
  if (!record) return undefined;
  const inputs = known ? merge(known, { record, ownerId: known.ownerId }).inputs : reportedInputs(record);
  const latestRevisionId = record.latest_revision_id ?? known?.latestRevisionId ?? "";
  const state: DeploymentState = {
    ...inputs,
    url: urlOf(record) ?? known?.url,
    ...(known ? await recordNow(op, record, known, inputs) : await firstRecord(op, id, latestRevisionId)),
    latestRevisionId,
    serving: await serving(op, record, undefined, known),
    controlPlane: controlPlaneOf(op, record),
    ownerId: known?.ownerId ?? ownerOf(record) ?? op.resource.ownerId,
    heldBy: known && heldBy(op, record, known),
    omitted: known?.omitted,
    schemaVersion,
  };
  return { state, inputs };
}

/** Says who holds a deployment that is not this resource's own any more. */
function heldBy(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  { ownerId, adopt }: DeploymentState,
): string | undefined {
  const tag = foreignTag({ ownerId }, record);
  if (!tag) return undefined;
  const holder = holderInWords(tag);
  op.report.log(
    "warning",
    adopt === "always"
      ? `Deployment ${record.id} is held by ${holder}. The next \`pulumi up\` takes it back, because \`adopt\` is "always".`
      : `Deployment ${record.id} is held by ${holder}, so this stack can neither change nor delete it. Either take it back with \`adopt: "always"\`, or stop managing it here with ${pulumiCommand("state delete", op.resource.identity.urn)}.`,
  );
  return holder;
}

/**
 * A rollout that state has not seen the end of is looked at; one that settled stays as it was, unless a newer revision has
 * brought other inputs into the state: whether those are in force is then for that revision to say.
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
  if (isNew && areRevised(op, known, inputs)) {
    const { revision } = await lastRolloutOnServer(op, record.id, newest);
    const seen = recordSeen(op, known, { id: newest, revision, verifies });
    if (lastRolloutOf(seen) !== "deployed") return seen;
  }
  // Which revision it is, and whether it passes a verification, is for the next update to find out.
  if (!awaitedRevision?.id)
    return { awaitedRevision, settledRevision, goodRevisionId, unverifiedRevisionIds };
  const { revision } = await lastRolloutOnServer(op, record.id, awaitedRevision.id);
  return recordSeen(op, known, { ...awaitedRevision, revision, verifies });
}

/** Whether inputs differ that take a revision to be in force. */
function areRevised(
  { plane: { dialect } }: ControlPlaneOperation,
  known: DeploymentState,
  inputs: DeploymentInputs,
): boolean {
  const changes = compare(inputsIn({ ...known }), inputs, dialect, () => false);
  return changes.some(({ effect }) => effect === "revision");
}

/** The newest revision of a deployment of which only the id was known. */
async function firstRecord(
  op: ControlPlaneOperation,
  id: string,
  latestRevisionId: string,
): Promise<SeenRecord> {
  const { revision } = await lastRolloutOnServer(op, id, latestRevisionId || undefined);
  const isSettled = revision && revisionPhase(revision.status, op.plane.dialect) !== "progress";
  return isSettled ? { settledRevision: settledAs(op, revision) } : {};
}
