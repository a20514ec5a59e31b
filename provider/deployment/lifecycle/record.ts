import type { RevisionRecord } from "../../control-plane/wire";
import { verifyFailed, type DeploymentOutputs, type SettledRevision } from "../state";
import type { RolloutEnd } from "./follow";
import type { Rollback } from "./rollback";
import { withUnverified } from "./unverified";
import type { Written } from "./written";

/** What state keeps of the resource's rollouts. */
export type RolloutRecord = Pick<
  DeploymentOutputs,
  "latestRevisionId" | "awaitedRevision" | "settledRevision" | "goodRevisionId" | "unverifiedRevisionIds"
>;

/** A rollout as far as it was followed. */
export interface RolloutCourse extends Pick<Written, "inputs" | "awaited" | "latestRevisionId" | "previous"> {
  /** The revision that was awaited, where it is known. */
  revisionId: string | undefined;
  end: RolloutEnd | undefined;
  rollback: Rollback | undefined;
  settledAs: (revision: RevisionRecord, status?: string) => SettledRevision;
}

/** What state keeps after a create or update. */
export function recordAfter(course: RolloutCourse): RolloutRecord {
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
    ...course.settledAs(end.revision, end.status),
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

/** A revision that is to be verified counts as unverified until it has passed: it may be DEPLOYED all the same. */
function unverifiedAfter({
  inputs,
  awaited,
  previous,
  revisionId,
  end,
}: RolloutCourse): string[] | undefined {
  const others = (previous?.unverifiedRevisionIds ?? []).filter((id) => id !== revisionId);
  const passed = end?.outcome === "deployed" || awaited?.adopted || !inputs.rollout?.verify;
  const failed = end?.status === verifyFailed || (!passed && end?.outcome !== "failed");
  if (failed && revisionId) return withUnverified(others, revisionId);
  return others.length > 0 ? others : undefined;
}
