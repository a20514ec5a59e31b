import type { DeploymentRecord, RevisionRecord } from "../../control-plane/wire";
import { asError, AgentServerError } from "../../errors";
import { fromWireSourceRevisionConfig } from "../mapping";
import { explainFailure, explainLostSight, explainTimeout } from "../rollout/explain";
import {
  schemaVersion,
  type DeploymentOutputs,
  type DeploymentState,
  type ServingRevision,
  type SettledRevision,
} from "../state";
import { controlPlaneOf, urlOf } from "./address";
import { followRollout, type RolloutEnd } from "./follow";
import { lookPauseMs, writeTries } from "./lost-reply";
import type { LifecycleResult, Operation, RolloutProblem } from "./operation";
import { reportNewer, reportOvertaken } from "./overtaken";
import { findLive } from "./presence";
import { recordAfter } from "./record";
import { rollBack, type Rollback } from "./rollback";
import { reportSuperseded } from "./superseded";
import type { Written } from "./written";

/** How far the rollout was followed, and what ended that early. */
interface Followed {
  /** The revision that was waited for; nothing where there is none, or where it is not known. */
  revisionId?: string;
  end?: RolloutEnd;
  rollback?: Rollback;
  lost?: Error;
}

/** What the deployment's record shows after the rollout, and what kept it from being read. */
interface Described {
  outputs: Pick<DeploymentOutputs, "url" | "serving" | "controlPlane">;
  lost?: Error;
}

/**
 * The common end of create and update: waits for the revision, verifies it, rolls back if it failed and that is wanted,
 * and describes what is there. From here on the server has taken the change, so nothing may be lost: every failure
 * keeps the id and the state.
 * @throws AgentServerError `deployment_gone` when somebody deletes the deployment meanwhile
 */
export async function settleAndDescribe(op: Operation, written: Written): Promise<LifecycleResult> {
  const followed = await follow(op, written);
  const { end, rollback, revisionId } = followed;
  if (end?.outcome === "gone") throw deletedMeanwhile(written, revisionId);
  const described = await describe(op, written, followed);
  const record = recordAfter({
    ...written,
    revisionId,
    end,
    rollback,
    settledAs: (...of) => settledAs(op, ...of),
  });
  const state = { ...written.inputs, ...described.outputs, ...record, ownerId: op.ownerId, schemaVersion };
  const problem = await problemOf(op, written, state, followed, described);
  return { id: written.deploymentId, state, problem };
}

async function follow(op: Operation, written: Written): Promise<Followed> {
  const { awaited, deploymentId, wait } = written;
  if (!awaited) return {};
  const followed: Followed = { revisionId: awaited.id };
  try {
    if (awaited.unseen) throw awaited.unseen;
    if (!wait) return followed;
    const revisionId = (followed.revisionId ??= await newestRevision(op, deploymentId));
    const end = (followed.end = await followRollout(op, written, revisionId));
    if (end.outcome === "superseded") await reportSuperseded(op, deploymentId, revisionId);
    if (written.foundRevisionId !== undefined && end.outcome !== "gone")
      await reportOvertaken(op, deploymentId, written.foundRevisionId, revisionId);
    const rollsBack = written.inputs.rollout?.onFailure === "rollback" && !awaited.adopted;
    if (end.outcome === "failed" && rollsBack)
      followed.rollback = await rollBack(op, written, revisionId, end.status);
    return followed;
  } catch (error) {
    return { ...followed, lost: asError(error) };
  }
}

/** Reads the deployment once more; what has settled has settled, whether or not that succeeds. */
async function describe(op: Operation, written: Written, followed: Followed): Promise<Described> {
  const { deploymentId, previous } = written;
  const { end, rollback } = followed;
  const settled = end?.outcome === "deployed" ? end.revision : goodOf(rollback);
  const before = {
    url: previous?.url,
    serving: settled ? servedBy(settled) : previous?.serving,
    controlPlane: op.controlPlane,
  };
  if (followed.lost) return { outputs: before };
  try {
    const record = await readPatiently(op, deploymentId);
    if (!record) return { outputs: before, lost: deletedMeanwhile(written, followed.revisionId) };
    reportNewer(op, record, written, followed);
    return {
      outputs: {
        url: urlOf(record) ?? before.url,
        serving: await serving(op, record, settled, previous),
        controlPlane: controlPlaneOf(op, record),
      },
    };
  } catch (error) {
    return { outputs: before, lost: asError(error) };
  }
}

/** One look that fails is no reason to fail after everything else has succeeded. */
async function readPatiently(op: Operation, deploymentId: string): Promise<DeploymentRecord | undefined> {
  for (let looks = 1; ; looks += 1)
    try {
      return await findLive(op, deploymentId);
    } catch (error) {
      if (looks >= writeTries || op.signal?.aborted) throw error;
      await op.clock.sleep(lookPauseMs, op.signal);
    }
}

function deletedMeanwhile(
  { deploymentId, inputs }: Written,
  revisionId: string | undefined,
): AgentServerError {
  const of = revisionId === undefined ? "" : ` while revision ${revisionId} was rolled out`;
  return new AgentServerError(
    "deployment_gone",
    `Deployment "${inputs.name}" (${deploymentId}) was deleted${of}. If that was not intended, run \`pulumi refresh\` and then \`pulumi up\` to create it again.`,
    { deploymentId, revisionId },
  );
}

/** What to report about the end: a verdict goes before whatever failed after it. */
async function problemOf(
  op: Operation,
  written: Written,
  state: DeploymentState,
  { end, rollback, lost, revisionId }: Followed,
  described: Described,
): Promise<RolloutProblem | undefined> {
  if (end?.outcome === "failed" && written.awaited?.adopted) reportFoundFailed(op, state);
  else if (end?.outcome === "failed")
    return explainFailure(op, written, end, state.serving?.revisionId, rollback);
  if (end?.outcome === "timeout") return explainTimeout(op, written, revisionId!, end);
  if (lost) return explainLostSight(written, lost, end);
  if (described.lost && AgentServerError.is(described.lost) && described.lost.code === "deployment_gone")
    throw described.lost;
  if (!described.lost) return undefined;
  // Without an address nothing that depends on the deployment can be made.
  if (end?.outcome !== "deployed" || state.url === undefined)
    return explainLostSight(written, described.lost, end);
  reportUnread(op, written, end, described.lost);
  return undefined;
}

function reportFoundFailed(op: Operation, { latestRevisionId, settledRevision }: DeploymentState): void {
  op.log(
    "warning",
    `revision ${latestRevisionId}, which was there before the adoption, ended as ${settledRevision?.status}; it is left as it is. The next change of the source makes a new one; so does a change of rollout.triggers`,
  );
}

function reportUnread(op: Operation, { deploymentId }: Written, { revision }: RolloutEnd, lost: Error): void {
  op.log(
    "warning",
    `revision ${revision!.id} is DEPLOYED, but deployment ${deploymentId} could not be read after that: ${lost.message.replace(/\.+$/, "")}. Run \`pulumi refresh\` to update its outputs, such as the url`,
  );
}

function goodOf(rollback: Rollback | undefined): RevisionRecord | undefined {
  return rollback && "deployed" in rollback ? rollback.deployed : undefined;
}

/** What state keeps of a revision with a final status. */
export function settledAs(
  op: Pick<Operation, "clock">,
  revision: RevisionRecord,
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
  if (revisionId === settled?.id) return servedBy(settled);
  try {
    return servedBy(await op.client.getRevision(record.id, revisionId, op.signal));
  } catch (error) {
    // Its record may have been pruned; what it was built from is not known then.
    if (!AgentServerError.is(error) || !error.isMissing) throw error;
    return { revisionId, sourceRevisionConfig: {} };
  }
}

function servedBy({ id, source_revision_config: source }: RevisionRecord): ServingRevision {
  return { revisionId: id, sourceRevisionConfig: fromWireSourceRevisionConfig(source) };
}

async function newestRevision(op: Operation, deploymentId: string): Promise<string> {
  const record = await op.client.findDeployment(deploymentId, op.signal);
  if (record?.latest_revision_id) return record.latest_revision_id;
  throw new AgentServerError(
    "unexpected_answer",
    `The control plane names no revision of deployment ${deploymentId}.`,
    { deploymentId },
  );
}
