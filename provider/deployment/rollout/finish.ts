import type { DeploymentRecord, RevisionRecord } from "../../../wire";
import { asError, AgentServerError } from "../../errors";
import { changeBetween, sourceIn } from "../../../wire/rollouts/change";
import { sourceIdOf, type RolloutTraits } from "../../control-plane/polling/rollout-traits";
import type { DeploymentInputs } from "../inputs/inputs";
import { titleOf } from "../inputs/identity";
import { fromWireSourceRevisionConfig } from "../mapping";
import { explainFailure, explainInterruptedWait, explainTimeout, explainUnfinished } from "./explain";
import { schemaVersion, type DeploymentOutputs, type DeploymentState, type ServingRevision } from "../state";
import { controlPlaneOf, urlOf, findLive } from "../ownership/find-deployment";
import { settleRevision } from "./settle";
import { verifySettled, type RolloutEnd } from "./verify";
import { visibilityRetry } from "../../resource/write";
import type { ControlPlaneOperation, Problem, Result } from "../../resource/operation";
import { poll } from "../../resource/poll";
import { reportNewer, reportReplaced, reportSuperseded } from "./foreign-revisions";
import { secretsIn, withRedaction } from "./redaction";
import { recordAfter, rolledOutAfter, type Rollback, type RolloutRecord } from "./record";
import { rollBack } from "./rollback";
import { foreignSourceOf, verifiedAfter, verifiedArtifactOf, type VerifiedRevision } from "./verified";
import type { RolloutRequest } from "./awaited";

/** Part of a rollout that the provider has followed, including a rollback. */
interface FollowedRollout {
  /**
   * ID of the revision that the operation waited for; `undefined` if there is none, or if the control plane does not
   * report which revision it is.
   */
  revisionId?: string;
  /** Result of the rollout, including its verification. */
  end?: RolloutEnd;
  rollback?: Rollback;
  /** Reason that the rollout could not be followed any further. */
  lost?: Error;
}

/** Record of the deployment after the rollout, or the reason that it could not be read. */
interface DescribedDeployment {
  outputs: Pick<DeploymentOutputs, "url" | "serving" | "controlPlane"> & { name?: string };
  lost?: Error;
  /** Secret values of the deployment that the server reports. */
  secrets?: string[];
}

/**
 * Finishes a create or update: follows the rollout and describes the deployment. The control plane has already accepted
 * the change, so the ID and the state are kept after any failure.
 * @throws AgentServerError `deployment_gone` if the deployment is deleted in the meantime
 */
export async function finishRollout(
  op: ControlPlaneOperation,
  written: RolloutRequest,
): Promise<Result<DeploymentState>> {
  const followed = await follow(op, written);
  if (followed.end?.outcome === "gone") throw deletedError(written, followed.revisionId);
  const described = await describe(op, written, followed);
  const record = recordAfter(op, { ...written, ...followed });
  if (followed.end) reportForeignSource(op, written, followed.end);
  const state = {
    ...written.inputs,
    ...described.outputs,
    ...record,
    rolledOut: rolledOutAfter(written, followed.end),
    verified: verifiedAfter(
      written.previous?.verified,
      described.outputs.serving?.revisionId,
      verifiedRevision(written, followed, record),
    ),
    ownerId: op.resource.ownerId,
    schemaVersion,
  };
  const problem = await problemOf(op, written, state, followed, described);
  return { id: written.deploymentId, state, problem };
}

/** Returns the revision that the operation has verified or rolled back to. */
function verifiedRevision(
  { inputs }: RolloutRequest,
  { end, rollback }: FollowedRollout,
  { settledRevision }: RolloutRecord,
): VerifiedRevision | undefined {
  if (end?.outcome === "deployed" && end.verification) {
    if (foreignSourceOf(inputs, end.revision!) !== undefined) return undefined;
    return verifiedArtifactOf(inputs, end.revision!, settledRevision!.settledAt, end.verification.evaluation);
  }
  if (!rollback || !("deployed" in rollback) || !rollback.deployed) return undefined;
  return {
    revisionId: rollback.revisionId,
    rollbackTo: rollback.fromRevisionId,
    failed: verifiedArtifactOf(inputs, end!.revision!, settledRevision!.settledAt),
  };
}

/** Waits until the rollout finishes, verifies the revision, reports other revisions, and rolls back if requested. */
async function follow(op: ControlPlaneOperation, written: RolloutRequest): Promise<FollowedRollout> {
  const { awaited, deploymentId, foundRevisionId, inputs, previous, wait } = written;
  const followed: FollowedRollout = {};
  if (!awaited) return followed;
  try {
    if (awaited.missingReason) throw awaited.missingReason;
    followed.revisionId = awaited.id ?? (wait ? await newestRevision(op, deploymentId) : undefined);
    const { revisionId } = followed;
    if (revisionId === undefined || !wait) return followed;
    const isFirst = previous === undefined && !awaited.adopted;
    const settlement = await settleRevision(op, deploymentId, revisionId, isFirst, traitsOf(written));
    const end = (followed.end = await verifySettled(op, written, settlement));
    if (end.outcome === "superseded") await reportSuperseded(op, deploymentId, revisionId);
    if (foundRevisionId !== undefined && end.outcome !== "gone")
      await reportReplaced(op, deploymentId, foundRevisionId, revisionId, written.ownRevisionIds);
    const mayRollBack = end.outcome === "failed" && !end.verification?.replacedBy && !awaited.adopted;
    if (mayRollBack && inputs.rollout?.onFailure === "rollback")
      followed.rollback = await rollBack(op, written, revisionId, end.status);
  } catch (error) {
    followed.lost = asError(error);
  }
  return followed;
}

/** Returns the properties of a rollout that determine which other rollouts have comparable durations. */
function traitsOf({ awaited, foundRevisionId, inputs, previous }: RolloutRequest): RolloutTraits {
  const sourceId = sourceIdIn(inputs);
  if (awaited?.adopted) return { sourceId };
  if (!previous) return { change: "first", sourceId };
  // A rollout that an earlier operation started may be of any kind.
  const isResumed = foundRevisionId === undefined;
  const { sourceConfig, sourceRevisionConfig: source } = previous;
  if (isResumed || !source || sourceIdIn({ sourceConfig, sourceRevisionConfig: source }) !== sourceId)
    return { sourceId };
  if (awaited?.keepsSource) return { change: "settings", sourceId };
  const [before, after] = [source, inputs.sourceRevisionConfig].map(({ contentHash, repoRef, imageUri }) =>
    sourceIn({ contents: contentHash, ref: repoRef, imageUri }),
  );
  return { change: changeBetween(before, after), sourceId };
}

function sourceIdIn({
  sourceConfig,
  sourceRevisionConfig,
}: Pick<Partial<DeploymentInputs>, "sourceConfig" | "sourceRevisionConfig">): string | undefined {
  return sourceIdOf({ ...sourceRevisionConfig, repoUrl: sourceConfig?.repoUrl });
}

/** Rereads the deployment. If that fails, the result of the rollout is kept. */
async function describe(
  op: ControlPlaneOperation,
  written: RolloutRequest,
  followed: FollowedRollout,
): Promise<DescribedDeployment> {
  const { deploymentId, previous } = written;
  const { end, rollback } = followed;
  const settled = end?.outcome === "deployed" ? end.revision : goodOf(rollback);
  const before = {
    url: previous?.url,
    serving: settled ? servedBy(settled) : previous?.serving,
    controlPlane: op.plane.controlPlane,
  };
  if (followed.lost) return { outputs: before };
  try {
    const record = await readWithRetries(op, deploymentId);
    if (!record) return { outputs: before, lost: deletedError(written, followed.revisionId) };
    reportNewer(op, record, written, followed);
    return {
      outputs: {
        ...(written.inputs.name === undefined && record.name && { name: record.name }),
        url: urlOf(record) ?? before.url,
        serving: await serving(op, record, settled, previous),
        controlPlane: controlPlaneOf(op, record),
      },
      secrets: secretsIn(record),
    };
  } catch (error) {
    return { outputs: before, lost: asError(error) };
  }
}

/**
 * Reads the deployment with retries, so that a single failed request does not fail the operation after everything else
 * has succeeded.
 */
async function readWithRetries(
  op: ControlPlaneOperation,
  deploymentId: string,
): Promise<DeploymentRecord | undefined> {
  const { clock, signal } = op.time;
  const found = await poll({ clock, signal }, visibilityRetry, async (polls) => {
    try {
      return { record: await findLive(op, deploymentId) };
    } catch (error) {
      if (visibilityRetry.after(polls) === undefined || signal?.aborted) throw error;
      return undefined;
    }
  });
  return found?.record;
}

function deletedError(
  { deploymentId, inputs }: RolloutRequest,
  revisionId: string | undefined,
): AgentServerError {
  const of = revisionId === undefined ? "" : ` while revision ${revisionId} was rolled out`;
  return new AgentServerError(
    "deployment_gone",
    `Deployment ${titleOf(inputs)} (${deploymentId}) was deleted${of}. If that was not intended, run \`pulumi refresh\` and then \`pulumi up\` to recreate it.`,
    { deploymentId, revisionId },
  );
}

/** Returns the problem to report. The result of the rollout takes precedence over later failures. */
async function problemOf(
  op: ControlPlaneOperation,
  written: RolloutRequest,
  state: DeploymentState,
  { end, rollback, lost, revisionId }: FollowedRollout,
  described: DescribedDeployment,
): Promise<Problem | undefined> {
  if (end?.outcome === "failed" && written.awaited?.adopted) reportAdoptedFailure(op, state);
  else if (end?.outcome === "failed")
    return explainFailure(
      withRedaction(op, described.secrets ?? []),
      written,
      end,
      state.serving?.revisionId,
      rollback,
    );
  if (written.unfinished) return explainUnfinished(written, written.unfinished);
  if (end?.outcome === "timeout") return explainTimeout(op, written, revisionId!, end);
  if (lost) return explainInterruptedWait(written, lost, end);
  if (described.lost && AgentServerError.is(described.lost) && described.lost.code === "deployment_gone")
    throw described.lost;
  if (!described.lost) return undefined;
  // Without an address, resources that depend on the deployment cannot be created.
  if (end?.outcome !== "deployed" || state.url === undefined)
    return explainInterruptedWait(written, described.lost, end);
  reportUnread(op, written, end, described.lost);
  return undefined;
}

/**
 * Warns if another client changed the source just before this resource sent a change without a source, so that the new
 * revision was built from the other client's source.
 */
function reportForeignSource(
  op: ControlPlaneOperation,
  { inputs }: RolloutRequest,
  { revision, verification }: RolloutEnd,
): void {
  const foreign = revision && verification && foreignSourceOf(inputs, revision);
  if (foreign === undefined) return;
  op.report.log(
    "warning",
    `Revision ${revision!.id} was built from ${foreign}, not from the source in the program, so it is not listed as verified. \`pulumi up --refresh\` rolls out the source in the program again.`,
  );
}

function reportAdoptedFailure(
  op: ControlPlaneOperation,
  { latestRevisionId, settledRevision }: DeploymentState,
): void {
  op.report.log(
    "warning",
    `Revision ${latestRevisionId} existed before the adoption and has the status ${settledRevision?.status}. Its rollout is not repeated. The next change to the source or to \`rollout.triggers\` creates a new revision.`,
  );
}

function reportUnread(
  op: ControlPlaneOperation,
  { deploymentId }: RolloutRequest,
  { revision }: RolloutEnd,
  lost: Error,
): void {
  op.report.log(
    "warning",
    `Revision ${revision!.id} is DEPLOYED, but deployment ${deploymentId} could not be read afterward: ${lost.message.replace(/\.+$/, "")}. Run \`pulumi refresh\` to update its outputs, such as the URL.`,
  );
}

function goodOf(rollback: Rollback | undefined): RevisionRecord | undefined {
  return rollback && "deployed" in rollback ? rollback.deployed : undefined;
}

/** Returns the active revision and its source. The source is requested only if it is not known yet. */
export async function serving(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  settled: RevisionRecord | undefined,
  previous: Partial<DeploymentOutputs> | undefined,
): Promise<ServingRevision | undefined> {
  const revisionId = record.active_revision_id ?? settled?.id;
  if (!revisionId) return previous?.serving;
  if (revisionId === previous?.serving?.revisionId) return previous.serving;
  if (revisionId === settled?.id) return servedBy(settled);
  try {
    return servedBy(await op.plane.client.revisions.get(record.id, revisionId, op.time.signal));
  } catch (error) {
    // The revision's record may have been pruned, in which case its source is unknown.
    if (!AgentServerError.is(error) || !error.isMissing) throw error;
    return { revisionId, sourceRevisionConfig: {} };
  }
}

function servedBy({ id, source_revision_config: source }: RevisionRecord): ServingRevision {
  return { revisionId: id, sourceRevisionConfig: fromWireSourceRevisionConfig(source) };
}

async function newestRevision(op: ControlPlaneOperation, deploymentId: string): Promise<string> {
  const record = await op.plane.client.deployments.find(deploymentId, op.time.signal);
  if (record?.latest_revision_id) return record.latest_revision_id;
  throw new AgentServerError(
    "unexpected_response",
    `The control plane reports no revision of deployment ${deploymentId}.`,
    { deploymentId },
  );
}
