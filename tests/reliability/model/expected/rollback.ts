import type { ExpectedChange } from "./expected";
import { commit } from "../sequence/program";
import type { DeploymentView, RevisionView } from "../world/plane-view";
import type { Situation } from "./situation";

/**
 * Returns the revision whose source a rollback restores: the newest good one with an immutable source. Excludes
 * revisions that failed their verification. If verification is required, also excludes revisions that are newer than
 * the last verified one.
 */
export function rollbackTarget(
  { program, server, limits }: Situation,
  { good, unverified }: ExpectedChange["known"],
  after: DeploymentView,
  failedId: string,
): RevisionView | undefined {
  const listed = after.revisions.filter(({ id }) => !limits.pruned?.has(id));
  const older = listed.slice(listed.findIndex(({ id }) => id === failedId) + 1);
  if (program.verify && good === undefined) return undefined;
  const lastGood = program.verify ? older.findIndex(({ id }) => id === good) : 0;
  if (good !== undefined && lastGood === -1) return undefined;
  const target = older
    .slice(Math.max(lastGood, 0))
    .find(({ id, status }) => status === "DEPLOYED" && !unverified.includes(id));
  return target && canBeSent(target) ? target : undefined;

  function canBeSent({ source }: RevisionView): boolean {
    if (server.dialect === "langsmith" && !server.redeploy) return true;
    const isShown = server.hides !== "source" && server.hides !== "everything";
    return isShown && (server.dialect === "langsmith" || source.repoRef === commit);
  }
}
