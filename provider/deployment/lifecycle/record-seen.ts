import { revisionPhase } from "../../control-plane/dialects";
import type { RevisionRecord } from "../../control-plane/wire";
import type { Operation } from "./operation";
import { settledAs } from "./outcome";
import type { RolloutRecord } from "./record";
import { withUnverified } from "./unverified";

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
export function recordSeen(op: Operation, before: SeenRecord, seen: Seen): SeenRecord {
  const { id, adopted, revision } = seen;
  const { goodRevisionId, unverifiedRevisionIds } = before;
  const phase = revision ? revisionPhase(revision.status, op.dialect) : "progress";
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
