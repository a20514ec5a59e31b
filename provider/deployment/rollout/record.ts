import type { RevisionRecord } from "../../../wire";
import { verifyFailed, type DeploymentOutputs, type SettledRevision } from "../state";
import type { RolloutEnd } from "./verify";
import type { ControlPlaneOperation } from "../../resource/operation";
import { revisionPhase } from "../../control-plane/dialects";
import type { RolloutRequest } from "./awaited";

/** Most revisions of a failed verification that state keeps. */
const mostUnverified = 20;

/** How a rollback ended. */
export type Rollback =
  /** A revision of the last good source was made; `status` is the last one seen of it. */
  | { revisionId: string; status: string; deployed?: RevisionRecord; fromRevisionId: string }
  /** None was made, and why. */
  | { impossible: string };

/** What state keeps of the resource's rollouts. */
export type RolloutRecord = Pick<
  DeploymentOutputs,
  "latestRevisionId" | "awaitedRevision" | "settledRevision" | "goodRevisionId" | "unverifiedRevisionIds"
>;

/** A rollout as far as it was followed. */
export interface RolloutCourse extends Pick<
  RolloutRequest,
  "inputs" | "awaited" | "latestRevisionId" | "ownRevisionIds" | "previous"
> {
  /** The revision that was awaited, where it is known. */
  revisionId?: string;
  end?: RolloutEnd;
  rollback?: Rollback;
}

/** What state keeps after a create or update. */
export function recordAfter(op: Pick<ControlPlaneOperation, "time">, course: RolloutCourse): RolloutRecord {
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
 * A revision that is to be verified counts as unverified until it has passed: it may be DEPLOYED all the same, as may an
 * earlier one of the same change.
 */
function unverifiedAfter({
  inputs,
  awaited,
  ownRevisionIds = [],
  previous,
  revisionId,
  end,
}: RolloutCourse): string[] | undefined {
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

/** What state keeps of rollouts, apart from the newest revision. */
export type SeenRecord = Omit<RolloutRecord, "latestRevisionId">;

/** A revision at which a look was taken. */
interface Seen {
  id: string;
  /** Somebody else made it before the deployment was adopted. */
  adopted?: true;
  /** Nothing where the server has no record of it any more. */
  revision?: RevisionRecord;
  /** Whether it counts as rolled out only once it has been verified. */
  verifies: boolean;
}

/** What state keeps after a look at a revision, instead of a wait for it. */
export function recordSeen(op: ControlPlaneOperation, before: SeenRecord, seen: Seen): SeenRecord {
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

/** What state keeps of a revision with a final status. */
export function settledAs(
  op: Pick<ControlPlaneOperation, "time">,
  revision: RevisionRecord,
  status = revision.status,
): SettledRevision {
  const settledAt = new Date(op.time.clock.now()).toISOString();
  return { id: revision.id, status, createdAt: revision.created_at ?? "", settledAt };
}

/** Whether there may be more of them than state has kept. */
export function mayHaveMore(ids: readonly string[]): boolean {
  return ids.length >= mostUnverified;
}

/** The revisions that did not pass a verification, with one more of them. */
export function withUnverified(ids: readonly string[] | undefined, id: string): string[] {
  return [...(ids ?? []).filter((other) => other !== id), id].slice(-mostUnverified);
}
