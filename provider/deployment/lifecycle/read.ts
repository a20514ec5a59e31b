import { revisionPhase } from "../../control-plane/dialects";
import type { DeploymentInputs } from "../inputs";
import { inputsIn, lastRolloutOf, type DeploymentState } from "../state";
import { ownerOf } from "../mapping";
import { asRecorded, fullyRecorded } from "./drift";
import { lastRolloutOnServer } from "./last-rollout";
import type { Operation } from "./operation";
import { controlPlaneOf, urlOf } from "./address";
import { serving, settledAs } from "./outcome";
import { findKnown } from "./presence";

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
    latestRevisionId,
    settledRevision: await settledNow(op, id, known, latestRevisionId),
    serving: await serving(op, record, undefined, known),
    controlPlane: controlPlaneOf(op, record),
    ownerId: known?.ownerId ?? ownerOf(record) ?? op.ownerId,
    schemaVersion: 1,
  };
  return { state, inputs };
}

/** A rollout that state has not seen the end of is looked at; one that settled stays as it was. */
async function settledNow(
  op: Operation,
  id: string,
  known: DeploymentState | undefined,
  latestRevisionId: string,
) {
  if (known && lastRolloutOf(known) !== "unsettled") return known.settledRevision;
  const { revision } = await lastRolloutOnServer(op, id, known?.latestRevisionId ?? latestRevisionId);
  const phase = revision && revisionPhase(revision.status, op.dialect);
  if (!revision || phase === "progress") return undefined;
  // Verifying is the next update's.
  if (phase === "deployed" && known?.rollout?.verify) return undefined;
  return settledAs(revision, op);
}
