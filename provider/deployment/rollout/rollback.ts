import { isSameJson } from "../../resource/inputs/json";
import { type DeploymentRecord, type RevisionRecord, hasDigest, isCommit } from "../../../wire";
import { AgentServerError, asError } from "../../errors";
import type { DeploymentInputs, SourceRevisionConfigInputs } from "../inputs/inputs";
import { fromWireSourceRevisionConfig } from "../mapping";
import { settleRevision } from "./settle";
import type { ControlPlaneOperation } from "../../resource/operation";
import { newerRevisions, sourceOf } from "./foreign-revisions";
import { merge } from "../current";
import { apply, readAgain, revisionAfter, sendOnce, type Change } from "../apply";
import { claim } from "../../resource/ownership/claim";
import { knownDeployment } from "../ownership/claim-deployment";
import { findLive } from "../ownership/find-deployment";
import { mayHaveMore, type Rollback } from "./record";
import type { AwaitedRevision, RolloutRequest } from "./awaited";

/** Minimum time limit of a rollback, in milliseconds, even if less time remains for the operation. */
const minRollbackMs = 300_000;

/**
 * Rolls out the source of the last good revision again, and waits for it. Never fails; problems are reported with the
 * failure that caused the rollback.
 * @param failedRevisionId ID of the newest revision, which must not stay active
 * @param status final status of that revision
 */
export async function rollBack(
  failed: ControlPlaneOperation,
  written: RolloutRequest,
  failedRevisionId: string,
  status: string | undefined,
): Promise<Rollback> {
  const { deploymentId } = written;
  const op = failed.until(Math.max(failed.time.deadline.at, failed.time.clock.now() + minRollbackMs));
  try {
    const record = await findLive(op, deploymentId);
    if (!record) return { impossible: "the deployment no longer exists" };
    claim(op.report, "update", knownDeployment(op.resource, record));
    if (record.latest_revision_id !== failedRevisionId) return replacedBy(record.latest_revision_id);
    const good = await lastGood(op, written, failedRevisionId);
    if (typeof good === "string") return { impossible: good };
    const rollback = during(op, `rollback to ${good.id.slice(0, 8)}`);
    rollback.report.status.show("starting", `after ${status ?? "a failure"}`);
    const made = await recreate(rollback, record, good, written.inputs);
    if ("impossible" in made) return made;
    return { ...(await followRecreated(rollback, deploymentId, made.revisionId)), fromRevisionId: good.id };
  } catch (error) {
    if (op.time.signal?.aborted) throw error;
    if (AgentServerError.is(error) && error.code === "foreign_revision")
      return replacedBy(error.facts.revisionId);
    return { impossible: asError(error).message };
  }
}

/** Returns the operation, changed so that its messages and its status line mention this action. */
function during(op: ControlPlaneOperation, action: string): ControlPlaneOperation {
  return {
    ...op,
    report: {
      ...op.report,
      status: op.report.status.during(action),
      log: (severity, message) => op.report.log(severity, `${action}: ${message}`),
    },
  };
}

/**
 * Returns the newest revision that may become active again, or the reason that there is none. A revision that failed
 * its verification is not eligible. If verification is required, or if the state may not contain all revisions that
 * failed it, only the last revision known to be good and older ones are eligible, because later ones are not verified.
 */
async function lastGood(
  op: ControlPlaneOperation,
  { deploymentId, inputs, previous = {} }: RolloutRequest,
  failedRevisionId: string,
): Promise<RevisionRecord | string> {
  const { goodRevisionId, unverifiedRevisionIds = [] } = previous;
  const avoided = new Set([failedRevisionId, ...unverifiedRevisionIds]);
  const needsVerified = inputs.rollout?.verify !== undefined || mayHaveMore(unverifiedRevisionIds);
  if (needsVerified && goodRevisionId === undefined) return "the deployment has no earlier verified revision";
  let isVerified = !needsVerified;
  for await (const page of op.plane.client.revisions.pages(deploymentId, op.time.signal))
    for (const revision of page) {
      isVerified ||= revision.id === goodRevisionId;
      if (isVerified && revision.status === "DEPLOYED" && !avoided.has(revision.id)) return revision;
    }
  return "the deployment has no earlier successful revision";
}

type CreatedRevision = { revisionId: string } | { impossible: string };

async function recreate(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  good: RevisionRecord,
  inputs: DeploymentInputs,
): Promise<CreatedRevision> {
  // Regardless of the options for updates, a rollback never replaces later changes that others made.
  const change = {
    record,
    inputs: { ...inputs, adopt: undefined, rollout: { ...inputs.rollout, onConflict: "fail" as const } },
  };
  const redeployed = op.plane.dialect.table.redeploys ? await redeploy(op, change, good) : undefined;
  if (redeployed) return redeployed;
  const source = immutableSource(good);
  if (typeof source === "string") return { impossible: source };
  const current = merge(undefined, { record, ownerId: op.resource.ownerId });
  const plan = { patch: { sourceRevisionConfig: source } };
  const { createdId: made = {} } = await apply(op, { ...change, current, plan });
  return recreatedSource(made);
}

/**
 * Redeploys a revision. Returns `undefined` if the server cannot redeploy it, in which case its source can be sent
 * instead.
 */
async function redeploy(
  op: ControlPlaneOperation,
  change: Pick<Change, "record" | "inputs">,
  good: RevisionRecord,
): Promise<CreatedRevision | undefined> {
  const { record: before } = change;
  const { revisions } = op.plane.client;
  const check = async () => void (await readAgain(op, change));
  const send = async (): Promise<CreatedRevision | undefined> => {
    try {
      const record = await revisions.redeploy(before.id, good.id, check, op.time.signal);
      const find = async () => (await newerFrom(op, before, good)).made?.id;
      return recreatedSource(await revisionAfter(op, before, record.latest_revision_id, find));
    } catch (error) {
      if (AgentServerError.is(error) && (error.isUnsupported || error.isRefused)) return undefined;
      throw error;
    }
  };
  return sendOnce(op, `the rollback of deployment ${before.id}`, send, () =>
    findRedeployed(op, before, good),
  );
}

/**
 * Returns the revision that a redeploy with a lost response created; `undefined` as long as there is no new revision.
 */
async function findRedeployed(
  op: ControlPlaneOperation,
  before: DeploymentRecord,
  good: RevisionRecord,
): Promise<CreatedRevision | undefined> {
  const { made, newest } = await newerFrom(op, before, good);
  if (made) return { revisionId: made.id };
  return newest && replacedBy(newest.id);
}

/**
 * Returns the newest revision since `before`, and the oldest such revision that a rollback to `good` could have
 * created.
 */
async function newerFrom(
  op: ControlPlaneOperation,
  before: DeploymentRecord,
  good: RevisionRecord,
): Promise<{ made?: RevisionRecord | undefined; newest?: RevisionRecord | undefined }> {
  const newer = (await newerRevisions(op, before.id, before.latest_revision_id)) ?? [];
  const made = newer.findLast((revision) => isSameJson(sourceOf(revision), sourceOf(good)));
  return { made, newest: newer[0] };
}

function replacedBy(revisionId: string | null | undefined): { impossible: string } {
  return { impossible: `revision ${revisionId} is newer and was not created by this update` };
}

function recreatedSource({ id, missingReason }: AwaitedRevision): CreatedRevision {
  if (id !== undefined) return { revisionId: id };
  return {
    impossible: missingReason?.message ?? "the control plane did not report which revision it created",
  };
}

/**
 * Returns the source of a revision with a commit or image that cannot have changed since, or the reason that there is
 * none.
 */
export function immutableSource(revision: RevisionRecord): SourceRevisionConfigInputs | string {
  const wire = revision.source_revision_config;
  const { repoRef, graphConfigPath, imageUri } = fromWireSourceRevisionConfig(wire);
  const commit = wire?.repo_commit_sha ?? repoRef;
  if (commit !== null && commit !== undefined) {
    if (isCommit(commit)) return given({ repoRef: commit, graphConfigPath });
    return `the control plane does not report which commit "${commit}" pointed to when revision ${revision.id} was built, and it may have moved since`;
  }
  if (imageUri === null || imageUri === undefined)
    return `the control plane does not report what revision ${revision.id} was built from`;
  if (hasDigest(imageUri)) return given({ graphConfigPath, imageUri });
  return /:(?!latest$)[\w.-]+$/.test(imageUri)
    ? given({ graphConfigPath, imageUri })
    : `image ${imageUri} of revision ${revision.id} has neither an immutable tag nor a digest`;
}

function given(source: SourceRevisionConfigInputs): SourceRevisionConfigInputs {
  return Object.fromEntries(Object.entries<unknown>(source).filter(([, value]) => value !== undefined));
}

async function followRecreated(op: ControlPlaneOperation, deploymentId: string, revisionId: string) {
  try {
    const end = await settleRevision(op, deploymentId, revisionId);
    const deployed = end.outcome === "deployed" ? end.revision : undefined;
    return { revisionId, status: end.revision?.status ?? "unknown", deployed };
  } catch (error) {
    if (op.time.signal?.aborted) throw error;
    // The revision was created, so it must be recorded.
    return { revisionId, status: `unknown (${asError(error).message})` };
  }
}
