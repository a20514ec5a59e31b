import { revisionPhase } from "../../control-plane/dialects";
import type { DeploymentInputs } from "../inputs";
import { inputsIn, lastRolloutOf, schemaVersion, type DeploymentState } from "../state";
import { ownerOf } from "../ownership-tag";
import { asRecorded, fullyRecorded } from "./drift";
import { lastRolloutOnServer } from "./last-rollout";
import type { Operation } from "./operation";
import { controlPlaneOf, urlOf } from "./address";
import { serving, settledAs } from "./outcome";
import { findKnown } from "./presence";
import type { RolloutRecord } from "./record";

/** What a look at the server shows: the state and the inputs, with drift in them. */
export interface ReadResult {
  state: DeploymentState;
  inputs: DeploymentInputs;
}

/**
 * Reads the deployment for `refresh` and for `Deployment.get`.
 * @param known the state so far; nothing when only the id is known
 * @returns nothing when the deployment is gone
 */
export async function readDeployment(
  op: Operation,
  id: string,
  known: DeploymentState | undefined,
): Promise<ReadResult | undefined> {
  const record = await findKnown(op, id);
  if (!record) return undefined;
  const inputs = known ? asRecorded(inputsIn({ ...known }), record) : fullyRecorded(record);
  const latestRevisionId = record.latest_revision_id ?? known?.latestRevisionId ?? "";
  const state: DeploymentState = {
    ...inputs,
    url: urlOf(record) ?? known?.url,
    ...(known ? await recordNow(op, id, known) : await firstRecord(op, id, latestRevisionId)),
    latestRevisionId,
    serving: await serving(op, record, undefined, known),
    controlPlane: controlPlaneOf(op, record),
    ownerId: known?.ownerId ?? ownerOf(record) ?? op.ownerId,
    omitted: known?.omitted,
    schemaVersion,
  };
  return { state, inputs };
}

type PartialRecord = Omit<RolloutRecord, "latestRevisionId">;

/** A rollout that state has not seen the end of is looked at; one that settled stays as it was. */
async function recordNow(op: Operation, id: string, known: DeploymentState): Promise<PartialRecord> {
  const { awaitedRevision, settledRevision, goodRevisionId, unverifiedRevisionIds } = known;
  const before = { awaitedRevision, settledRevision, goodRevisionId, unverifiedRevisionIds };
  // Which revision it is, and whether it passes a verification, is for the next update to find out.
  if (lastRolloutOf(known) !== "unsettled" || !awaitedRevision?.id) return before;
  const { revision } = await lastRolloutOnServer(op, id, awaitedRevision.id);
  const phase = revision && revisionPhase(revision.status, op.dialect);
  if (!revision || phase === "progress") return before;
  if (phase === "deployed" && known.rollout?.verify && !awaitedRevision.adopted) return before;
  return {
    settledRevision: {
      ...settledAs(op, revision),
      ...(phase === "failed" && awaitedRevision.adopted && { adopted: true as const }),
    },
    goodRevisionId: phase === "deployed" ? revision.id : goodRevisionId,
    unverifiedRevisionIds,
  };
}

/** The newest revision of a deployment of which only the id was known. */
async function firstRecord(op: Operation, id: string, latestRevisionId: string): Promise<PartialRecord> {
  const { revision } = await lastRolloutOnServer(op, id, latestRevisionId || undefined);
  const isSettled = revision && revisionPhase(revision.status, op.dialect) !== "progress";
  return isSettled ? { settledRevision: settledAs(op, revision) } : {};
}
