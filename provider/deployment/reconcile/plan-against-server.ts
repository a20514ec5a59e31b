import type { DeploymentRecord } from "../../../wire";
import { hasDesiredRevision, merge, type Current } from "../current";
import type { DeploymentInputs } from "../inputs/inputs";
import { foreignTag, ownerOf, tagOf, triggersHash } from "../ownership/tag";
import { plan, type DeploymentPlan } from "../plan/plan";
import type { LastRollout } from "../state";
import { lastRolloutOf, type DeploymentState } from "../state";
import { lastRolloutOnServer, unlessUnverified } from "../rollout/last-rollout";
import type { ControlPlaneOperation } from "../../resource/operation";
import {
  foreignRevision,
  foreignRevisionText,
  findOwnRevision,
  newerRevisions,
} from "../rollout/foreign-revisions";
import { recordSeen } from "../rollout/record";
import { withUnverified } from "../rollout/record";
import { words } from "../plan/words";
import type { AwaitedRevision } from "../rollout/awaited";

/** An update that was planned with the values that the server reports. */
interface PlannedUpdate {
  plan: DeploymentPlan;
  current: Current;
  /** The previous state, updated with the results of rollouts that have finished since. */
  previous: Partial<DeploymentState>;
  /** The revision to wait for if the plan resumes a wait. */
  awaited?: AwaitedRevision;
}

/**
 * Plans an update in the same way as the preview, but requests the deployment first, because the last rollout may have
 * finished, and changes by an interrupted update may already have taken effect. Logs how the result differs from the
 * preview.
 */
export async function planAgainstServer(
  op: ControlPlaneOperation,
  state: DeploymentState,
  inputs: DeploymentInputs,
  record: DeploymentRecord,
): Promise<PlannedUpdate> {
  const { dialect } = op.plane;
  const { rollout, ...standing } = await rolloutStatusOf(op, record, state, inputs);
  const current = merge(state, { record, ownerId: op.resource.ownerId });
  const previewed = plan({ current: merge(state), wanted: inputs, lastRollout: rollout, dialect });
  const latest = record.latest_revision_id ?? undefined;
  const isCandidate = previewed.newRevision && hasDesiredRevision(inputs, current);
  const found = isCandidate ? await lastRolloutOnServer(op, record.id, latest) : undefined;
  const planAfter = (lastRollout: LastRollout) =>
    plan({ current, wanted: inputs, lastRollout, dialect, tag: tagFor(op, record) });
  const withoutFound = planAfter(rollout);
  // The existing revision with the desired source is sufficient, unless another change requires a new one.
  const today = { ...current, before: current.inputs };
  const isWhole =
    found &&
    !(
      withoutFound.newRevision &&
      plan({ current: today, wanted: inputs, lastRollout: "deployed", dialect }).newRevision
    );
  const now = isWhole ? planAfter(unlessUnverified(found.rollout, inputs)) : withoutFound;
  // If a new revision is created, the whole source is sent.
  const unsent = now.inEffect.filter(
    ({ path }) => !(now.patch?.sourceRevisionConfig && path.startsWith("sourceRevisionConfig.")),
  );
  if (unsent.length > 0)
    op.report.log(
      "info",
      `The deployment already has the desired ${unsent.map(({ path }) => op.report.redact(path)).join(", ")}${now.newRevision ? "" : ` (revision ${latest})`}, so these values are not sent again.`,
    );
  const isOurs = found && (!now.newRevision || now.inEffect.some(({ effect }) => effect === "revision"));
  if (isWhole && found.rollout === "failed") {
    const isStrict = inputs.rollout?.onConflict === "fail" && latest !== standing.awaited?.id;
    if (isStrict && !(await isOwn(op, state, inputs, record)))
      throw foreignRevision(record, state.latestRevisionId);
    op.report.log("info", `Revision ${latest} with the desired source failed, so a new one is created.`);
  } else if (!isOurs) reportForeignRevision(op, state, inputs, record, standing.awaited);
  if (!isOurs || !latest) return { plan: now, current, ...standing };
  if (!now.newRevision && now.reasons.some(({ code }) => code === "secrets-later"))
    op.report.log(
      "warning",
      `${words["secrets-later"]}: revision ${latest} was created before they were sent. To create a new revision, change rollout.triggers.`,
    );
  const verifies = Boolean(inputs.rollout?.verify);
  const seen = recordSeen(op, state, { id: latest, revision: found.revision, verifies });
  return { plan: now, current, previous: { ...state, ...seen }, awaited: { id: latest } };
}

/**
 * Determines when an update writes the ownership tag. An adoption may have deferred the tag to the next revision, or
 * another resource may have replaced the tag.
 */
function tagFor({ resource, plane }: ControlPlaneOperation, record: DeploymentRecord) {
  if (foreignTag(resource, record)) return "now";
  return plane.dialect.revises.secrets && ownerOf(record) === undefined ? "with revision" : undefined;
}

/** Returns the current status of the rollout in state, which may have finished since it was stored. */
async function rolloutStatusOf(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  state: DeploymentState,
  inputs: DeploymentInputs,
): Promise<Omit<PlannedUpdate, "plan" | "current"> & { rollout: LastRollout }> {
  const rollout = lastRolloutOf(state);
  if (rollout !== "unsettled") return { rollout, previous: state };
  const { id: knownId, adopted } = state.awaitedRevision!;
  const id = knownId || (await findOwnRevision(op, state, record));
  if (id === undefined) {
    op.report.log(
      "info",
      `No revision was found for the last change to deployment ${record.id}, so one is created.`,
    );
    return { rollout: "failed", previous: state };
  }
  const seen = await lastRolloutOnServer(op, record.id, id);
  // A revision that required verification and did not receive it stays unverified, even if the program no
  // longer requires verification.
  const isUnverified = state.rollout?.verify !== undefined && !adopted && seen.rollout !== "failed";
  const unverifiedRevisionIds = isUnverified
    ? withUnverified(state.unverifiedRevisionIds, id)
    : state.unverifiedRevisionIds;
  const before = { ...state, unverifiedRevisionIds };
  const awaited: AwaitedRevision & { id: string } = { id, ...(adopted && { adopted }) };
  const verifies = Boolean(inputs.rollout?.verify);
  return {
    rollout: adopted ? asFound(seen) : unlessUnverified(seen.rollout, inputs),
    previous: { ...state, ...recordSeen(op, before, { ...awaited, revision: seen.revision, verifies }) },
    awaited,
  };
}

/**
 * Returns the result of a rollout. A failed rollout of a foreign revision counts as `"deployed"`, because it is not
 * retried.
 */
export function asFound({ rollout, revision }: { rollout: LastRollout; revision?: object }): LastRollout {
  return rollout === "failed" && revision ? "deployed" : rollout;
}

/**
 * True if the ownership tag shows that an interrupted update of this resource created the newest revision, which has
 * the desired source: either it is built from this resource's upload, or it is the only revision since the tag with the
 * desired triggers was written.
 */
async function isOwn(
  op: ControlPlaneOperation,
  { latestRevisionId: known }: DeploymentState,
  { sourceRevisionConfig, rollout }: DeploymentInputs,
  record: DeploymentRecord,
): Promise<boolean> {
  if (sourceRevisionConfig.folder !== undefined)
    return record.source_revision_config?.source_tarball_path != null;
  const sent = triggersHash(rollout?.triggers, known);
  if (sent === undefined || tagOf(record)?.triggers !== sent) return false;
  return (await newerRevisions(op, record.id, known))?.length === 1;
}

function reportForeignRevision(
  op: ControlPlaneOperation,
  state: DeploymentState,
  inputs: DeploymentInputs,
  record: DeploymentRecord,
  awaited: AwaitedRevision | undefined,
): void {
  const latest = record.latest_revision_id;
  if (!latest || latest === state.latestRevisionId || latest === awaited?.id) return;
  if (inputs.rollout?.onConflict === "fail") throw foreignRevision(record, state.latestRevisionId);
  op.report.log("warning", `${foreignRevisionText(record, state.latestRevisionId)}. This update continues.`);
}
