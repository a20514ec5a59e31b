import type { DeploymentRecord, RevisionRecord } from "../../control-plane/wire";
import { asError, AgentServerError } from "../../errors";
import type { DeploymentInputs } from "../inputs";
import { fromWireSourceRevisionConfig } from "../mapping";
import { explainFailure, explainLostSight, explainTimeout } from "../rollout/explain";
import { settle, type Settlement } from "../rollout/settle";
import type { DeploymentOutputs, DeploymentState, ServingRevision, SettledRevision } from "../state";
import type { LifecycleResult, Operation, RolloutProblem } from "./operation";
import { reportSuperseded } from "./superseded";

/** A deployment after the writes, and the revision that it now depends on. */
export interface Written {
  deploymentId: string;
  inputs: DeploymentInputs;
  /** The revision to keep in state, and to wait for if `wait` says so. */
  revisionId: string | undefined;
  /** Why that revision is not known although it was made. */
  unseen?: Error;
  wait: boolean;
  /** Outputs of before, for what has not changed. */
  previous?: Partial<DeploymentOutputs>;
}

/**
 * The common end of create and update: waits for the revision and describes what is there. From here on the
 * server has taken the change, so nothing may be lost: every failure keeps the id and the state.
 */
export async function settleAndDescribe(op: Operation, written: Written): Promise<LifecycleResult> {
  const { deploymentId, previous } = written;
  let latestRevisionId = written.revisionId ?? "";
  let settledRevision = written.wait ? undefined : previous?.settledRevision;
  let settlement: Settlement | undefined;
  let lostSight: Error | undefined;
  let outputs: Pick<DeploymentOutputs, "url" | "serving"> = {
    url: previous?.url,
    serving: previous?.serving,
  };
  try {
    if (written.unseen) throw written.unseen;
    latestRevisionId ||= await firstRevision(op, deploymentId);
    settlement = written.wait ? await waitFor(op, deploymentId, latestRevisionId) : undefined;
    if (settlement?.revision && settlement.outcome !== "timeout")
      settledRevision = settledAs(settlement.revision, op);
    if (settlement?.outcome === "superseded") await reportSuperseded(op, deploymentId, latestRevisionId);
    const record = await op.client.findDeployment(deploymentId, op.signal);
    const settled = settlement?.outcome === "deployed" ? settlement.revision : undefined;
    if (record)
      outputs = { url: urlOf(record) ?? outputs.url, serving: await serving(op, record, settled, previous) };
  } catch (error) {
    lostSight = asError(error);
  }
  const state: DeploymentState = {
    ...written.inputs,
    url: outputs.url,
    latestRevisionId,
    settledRevision,
    serving: outputs.serving,
    controlPlane: op.controlPlane,
    ownerId: op.ownerId,
    schemaVersion: 1,
  };
  const problem = await problemOf(op, written, state, settlement, lostSight);
  return { id: deploymentId, state, problem };
}

/** What to tell about the end: a verdict goes before whatever failed after it. */
async function problemOf(
  op: Operation,
  written: Written,
  state: DeploymentState,
  settlement: Settlement | undefined,
  lostSight: Error | undefined,
): Promise<RolloutProblem | undefined> {
  if (settlement?.outcome === "failed")
    return explainFailure(op, written, settlement, state.serving?.revisionId);
  if (settlement?.outcome === "timeout")
    return explainTimeout(op, written, state.latestRevisionId, settlement);
  return lostSight && explainLostSight(written, lostSight);
}

/** What state keeps of a revision with a final status. */
export function settledAs(revision: RevisionRecord, op: Pick<Operation, "clock">): SettledRevision {
  const settledAt = new Date(op.clock.now()).toISOString();
  return { id: revision.id, status: revision.status, createdAt: revision.created_at ?? "", settledAt };
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

/** Where the deployment answers: the server's own word, else the address that was configured for it. */
export function urlOf(record: DeploymentRecord): string | undefined {
  return record.url ?? record.source_config?.custom_url ?? undefined;
}

function waitFor(op: Operation, deploymentId: string, revisionId: string) {
  const { client, clock, dialect, status, signal } = op;
  const timeoutMs = Math.max(0, op.deadline - clock.now());
  return settle({ client, clock, dialect, status, signal, deploymentId, revisionId, timeoutMs });
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
