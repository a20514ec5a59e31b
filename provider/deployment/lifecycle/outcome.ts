import type { DeploymentRecord, RevisionRecord } from "../../control-plane/wire";
import { asError, AgentServerError } from "../../errors";
import { fromWireSourceRevisionConfig } from "../mapping";
import { explainFailure, explainLostSight, explainTimeout } from "../rollout/explain";
import type { DeploymentOutputs, DeploymentState, ServingRevision, SettledRevision } from "../state";
import { controlPlaneOf, urlOf } from "./address";
import { followRollout, verifyFailed, type RolloutEnd } from "./follow";
import type { LifecycleResult, Operation, RolloutProblem } from "./operation";
import { reportNewer, reportOvertaken } from "./overtaken";
import { rollBack, type Rollback } from "./rollback";
import { reportSuperseded } from "./superseded";
import type { Written } from "./written";

/**
 * The common end of create and update: waits for the revision, verifies it, goes back if it failed and that is wanted,
 * and describes what is there. From here on the server has taken the change, so nothing may be lost: every failure
 * keeps the id and the state.
 */
export async function settleAndDescribe(op: Operation, written: Written): Promise<LifecycleResult> {
  const { deploymentId, previous } = written;
  const unfit = unfitAfter(previous);
  let latestRevisionId = written.revisionId ?? "";
  let settledRevision = written.wait || written.isOwn ? undefined : previous?.settledRevision;
  let end: RolloutEnd | undefined;
  let rollback: Rollback | undefined;
  let lostSight: Error | undefined;
  let outputs: Pick<DeploymentOutputs, "url" | "serving" | "controlPlane"> = {
    url: previous?.url,
    serving: previous?.serving,
    controlPlane: op.controlPlane,
  };
  try {
    if (written.unseen) throw written.unseen;
    latestRevisionId ||= await firstRevision(op, deploymentId);
    end = written.wait ? await followRollout(op, written, latestRevisionId) : undefined;
    if (end?.revision && end.outcome !== "timeout")
      settledRevision = {
        ...settledAs(end.revision, op, end.status),
        ...(isFoundFailed(written, end) && adopted),
        ...(end.outcome === "failed" && unfit.length > 0 && { unfit }),
      };
    if (end?.outcome === "superseded") await reportSuperseded(op, deploymentId, latestRevisionId);
    if (end && written.foundRevisionId !== undefined)
      await reportOvertaken(op, deploymentId, written.foundRevisionId, latestRevisionId);
    if (end?.outcome === "failed" && written.isOwn && written.inputs.rollout?.onFailure === "rollback")
      rollback = await rollBack(op, deploymentId, latestRevisionId, unfit);
    if (rollback && "revisionId" in rollback) latestRevisionId = rollback.revisionId;
    const record = await op.client.findDeployment(deploymentId, op.signal);
    if (record) {
      reportNewer(op, record, latestRevisionId, end);
      const settled = end?.outcome === "deployed" ? end.revision : goodOf(rollback);
      outputs = {
        url: urlOf(record) ?? outputs.url,
        serving: await serving(op, record, settled, previous),
        controlPlane: controlPlaneOf(op, record),
      };
    }
  } catch (error) {
    lostSight = asError(error);
  }
  const state: DeploymentState = {
    ...written.inputs,
    url: outputs.url,
    latestRevisionId,
    settledRevision,
    serving: outputs.serving,
    controlPlane: outputs.controlPlane,
    ownerId: op.ownerId,
    schemaVersion: 1,
  };
  const problem = await problemOf(op, written, state, end, rollback, lostSight);
  return { id: deploymentId, state, problem };
}

/** What to tell about the end: a verdict goes before whatever failed after it. */
async function problemOf(
  op: Operation,
  written: Written,
  state: DeploymentState,
  end: RolloutEnd | undefined,
  rollback: Rollback | undefined,
  lostSight: Error | undefined,
): Promise<RolloutProblem | undefined> {
  const servingId = state.serving?.revisionId;
  if (isFoundFailed(written, end)) reportFoundFailed(op, state);
  else if (end?.outcome === "failed") return explainFailure(op, written, end, servingId, rollback);
  if (end?.outcome === "timeout") return explainTimeout(op, written, state.latestRevisionId, end);
  return lostSight && explainLostSight(written, lostSight, end);
}

const adopted = { adopted: true } as const;

/** Whether the rollout that failed is somebody else's: then it is no failure of this resource. */
function isFoundFailed({ isOwn }: Written, end: RolloutEnd | undefined): boolean {
  return end?.outcome === "failed" && !isOwn;
}

function reportFoundFailed(op: Operation, { latestRevisionId, settledRevision }: DeploymentState): void {
  op.log(
    "warning",
    `revision ${latestRevisionId}, which was there before the adoption, ended as ${settledRevision?.status}; it is left as it is. The next change of the source makes a new one; so does a change of rollout.triggers`,
  );
}

/** The revisions that were found wanting since the last success, though the server has them as DEPLOYED. */
function unfitAfter(previous: Partial<DeploymentOutputs> | undefined): string[] {
  const { id, status, unfit = [] } = previous?.settledRevision ?? {};
  return id !== undefined && status === verifyFailed ? [...unfit, id] : unfit;
}

function goodOf(rollback: Rollback | undefined): RevisionRecord | undefined {
  return rollback && "deployed" in rollback ? rollback.deployed : undefined;
}

/** What state keeps of a revision with a final status. */
export function settledAs(
  revision: RevisionRecord,
  op: Pick<Operation, "clock">,
  status = revision.status,
): SettledRevision {
  const settledAt = new Date(op.clock.now()).toISOString();
  return { id: revision.id, status, createdAt: revision.created_at ?? "", settledAt };
}

/** The serving revision, read only when it is another one than before. */
export async function serving(
  op: Operation,
  record: DeploymentRecord,
  settled: RevisionRecord | undefined,
  previous: Partial<DeploymentOutputs> | undefined,
): Promise<ServingRevision | undefined> {
  const revisionId = record.active_revision_id ?? settled?.id;
  if (!revisionId) return previous?.serving;
  if (revisionId === previous?.serving?.revisionId) return previous.serving;
  const revision =
    revisionId === settled?.id ? settled : await op.client.getRevision(record.id, revisionId, op.signal);
  return { revisionId, sourceRevisionConfig: fromWireSourceRevisionConfig(revision.source_revision_config) };
}

async function firstRevision(op: Operation, deploymentId: string): Promise<string> {
  const record = await op.client.findDeployment(deploymentId, op.signal);
  if (record?.latest_revision_id) return record.latest_revision_id;
  throw new AgentServerError(
    "unexpected_answer",
    `The control plane names no revision of deployment ${deploymentId}.`,
    { deploymentId },
  );
}
