import type { RevisionRecord } from "../../../wire";
import type { DeploymentInputs } from "../inputs/inputs";
import { verifyFailed, type DeploymentOutputs, type SettledRevision } from "../state";
import type { RolloutEnd } from "./verify";
import type { ControlPlaneOperation } from "../../resource/operation";
import { revisionPhase } from "../../control-plane/dialects";
import type { RolloutRequest } from "./awaited";
import { isPromotable } from "../../promotion/artifact";
import { declaredArtifact, recordedArtifact } from "./verified";

/** Maximum number of unverified revisions that the state lists. */
const maxUnverified = 20;

/** Result of a rollback. */
export type Rollback =
  /** A revision with the source of the last good revision was created; `status` is its last known status. */
  | { revisionId: string; status: string; deployed?: RevisionRecord; fromRevisionId: string }
  /** Reason that the rollback did not create a revision. */
  | { impossible: string };

/** The part of the state that describes the resource's rollouts. */
export type RolloutRecord = Pick<
  DeploymentOutputs,
  "latestRevisionId" | "awaitedRevision" | "settledRevision" | "goodRevisionId" | "unverifiedRevisionIds"
>;

/** A rollout, as far as the provider has followed it. */
export interface ObservedRollout extends Pick<
  RolloutRequest,
  "inputs" | "awaited" | "latestRevisionId" | "ownRevisionIds" | "previous"
> {
  /** ID of the revision that the operation waited for, if it is known. */
  revisionId?: string;
  end?: RolloutEnd;
  rollback?: Rollback;
}

/** Returns the rollouts to store in state after a create or update. */
export function recordAfter(op: Pick<ControlPlaneOperation, "time">, course: ObservedRollout): RolloutRecord {
  const { previous = {}, awaited, revisionId, end, rollback } = course;
  const rolledBack = rollback && "revisionId" in rollback ? rollback : undefined;
  const latestRevisionId =
    rolledBack?.revisionId ?? course.latestRevisionId ?? revisionId ?? previous.latestRevisionId ?? "";
  const before: RolloutRecord = {
    latestRevisionId,
    settledRevision: previous.settledRevision,
    goodRevisionId: previous.goodRevisionId,
    unverifiedRevisionIds: previous.unverifiedRevisionIds,
  };
  if (!awaited) return before;
  const unverifiedRevisionIds = unverifiedAfter(course);
  if (!end?.revision || end.outcome === "timeout")
    return {
      ...before,
      awaitedRevision:
        revisionId === undefined
          ? { id: "", since: latestRevisionId, ...(awaited.keepsSource && { keepsSource: true }) }
          : { id: revisionId, ...isAdopted(awaited) },
      settledRevision: undefined,
      unverifiedRevisionIds,
    };
  const settledRevision = {
    ...settledAs(op, end.revision, end.status),
    ...(end.outcome === "failed" && isAdopted(awaited)),
  };
  const good = end.outcome === "deployed" ? end.revision.id : rolledBack?.deployed?.id;
  return {
    latestRevisionId,
    settledRevision,
    goodRevisionId: good ?? previous.goodRevisionId,
    unverifiedRevisionIds,
  };
}

function isAdopted({ adopted }: { adopted?: true }): { adopted?: true } {
  return adopted ? { adopted } : {};
}

/**
 * Returns the unverified revisions to store in state. If verification is required, a revision is unverified until it
 * has passed, even if it is `DEPLOYED`. The same applies to earlier revisions of the same change.
 */
function unverifiedAfter({
  inputs,
  awaited,
  ownRevisionIds = [],
  previous,
  revisionId,
  end,
}: ObservedRollout): string[] | undefined {
  const others = (previous?.unverifiedRevisionIds ?? []).filter((id) => id !== revisionId);
  const passed = end?.outcome === "deployed" || awaited?.adopted || !inputs.rollout?.verify;
  const failed = end?.status === verifyFailed || (!passed && end?.outcome !== "failed");
  const earlier = passed ? [] : ownRevisionIds.filter((id) => id !== revisionId);
  const unverified = [...earlier, ...(failed && revisionId ? [revisionId] : [])].reduce(
    withUnverified,
    others,
  );
  return unverified.length > 0 ? unverified : undefined;
}

/** Source of the last change that the stack made to a deployment. */
export type RolledOut = NonNullable<DeploymentOutputs["rolledOut"]>;

/**
 * Returns the rolled-out source to store in state after a create or update. Reads do not change this source, so it is
 * never one that others have rolled out. If the rollout failed, the last verified source is kept or, if there is none,
 * the source in the previous state. The latter may be the source of a rollout that timed out, so it does not take
 * precedence.
 */
export function rolledOutAfter(
  { inputs, previous, awaited }: Pick<RolloutRequest, "inputs" | "previous" | "awaited">,
  end: RolloutEnd | undefined,
): RolledOut | undefined {
  if (previous && !awaited) return previous.rolledOut;
  const rolledOut = rolledOutOf(inputs, end?.revision);
  if (end?.outcome !== "failed") return rolledOut;
  return lastVerified(previous) ?? previous?.rolledOut ?? rolledOut;
}

/** Returns the source that the resource last verified; `undefined` if it is a folder. */
function lastVerified({ verified }: Pick<Partial<DeploymentOutputs>, "verified"> = {}):
  RolledOut | undefined {
  const last = verified?.history[0];
  if (!isPromotable(last)) return undefined;
  const { source, artifact, graphConfigPath } = last;
  return { source, artifact, graphConfigPath };
}

/** Returns the source in the inputs, with the commit instead of a branch if the revision reports the commit. */
export function rolledOutOf(inputs: DeploymentInputs, revision?: RevisionRecord): RolledOut | undefined {
  const { source } = inputs;
  const { graphConfigPath } = inputs.sourceRevisionConfig;
  const { ref, isFixed } = declaredArtifact(inputs);
  const artifact = isFixed ? ref : (recordedArtifact(source, revision?.source_revision_config) ?? ref);
  return artifact == null ? undefined : { source, artifact, graphConfigPath: graphConfigPath ?? undefined };
}

/** The part of the state that describes rollouts, except for the newest revision. */
export type SeenRecord = Omit<RolloutRecord, "latestRevisionId">;

/** Result of one request for a revision whose rollout no operation has followed to its end. */
interface SeenRevision {
  id: string;
  /** True if another stack or user created the revision before the deployment was adopted. */
  adopted?: true;
  /** The revision as reported; `undefined` if the server no longer has a record of it. */
  revision?: RevisionRecord;
  /** True if the rollout is considered successful only after the revision has been verified. */
  verifies: boolean;
}

/**
 * Returns the rollouts to store in state after one request for a revision whose rollout no operation has followed to
 * its end.
 */
export function recordSeen(op: ControlPlaneOperation, before: SeenRecord, seen: SeenRevision): SeenRecord {
  const { id, adopted, revision } = seen;
  const { goodRevisionId, unverifiedRevisionIds } = before;
  const phase = revision ? revisionPhase(revision.status, op.plane.dialect) : "progress";
  const isUnverified = seen.verifies && !adopted;
  if (!revision || phase === "progress" || (phase === "deployed" && isUnverified))
    return {
      awaitedRevision: { id, ...(adopted && { adopted }) },
      settledRevision: undefined,
      goodRevisionId,
      unverifiedRevisionIds: isUnverified ? withUnverified(unverifiedRevisionIds, id) : unverifiedRevisionIds,
    };
  return {
    awaitedRevision: undefined,
    settledRevision: { ...settledAs(op, revision), ...(phase === "failed" && adopted && { adopted }) },
    goodRevisionId: phase === "deployed" ? id : goodRevisionId,
    unverifiedRevisionIds,
  };
}

/** Returns the entry to store in state for a revision that has reached a final status. */
export function settledAs(
  op: Pick<ControlPlaneOperation, "time">,
  revision: RevisionRecord,
  status = revision.status,
): SettledRevision {
  const settledAt = new Date(op.time.clock.now()).toISOString();
  return { id: revision.id, status, createdAt: revision.created_at ?? "", settledAt };
}

/** True if there may be more unverified revisions than those that the state lists. */
export function mayHaveMore(ids: readonly string[]): boolean {
  return ids.length >= maxUnverified;
}

/** Adds a revision to the list of revisions that have not passed a verification. */
export function withUnverified(ids: readonly string[] | undefined, id: string): string[] {
  return [...(ids ?? []).filter((other) => other !== id), id].slice(-maxUnverified);
}
