import { findServing } from "../deployment/serving-revision";
import type { FunctionResult } from "../lookup/functions";
import type { Source } from "./artifact";
import type { TargetSources } from "./decide";

type FoundDeployment = Pick<FunctionResult<"getDeployment">, "activeRevisionId" | "source">;
type FoundRevision = FunctionResult<"getRevisions">["revisions"][number];

/** Fields that determine a source; null and undefined both mean that a field has no value. */
type SourceFields = Partial<
  Record<"repoRef" | "commit" | "imageUri" | "graphConfigPath", string | null | undefined>
>;

/** Statuses of revisions that do not serve requests and never will. */
const endedStatuses = ["SKIPPED", "INTERRUPTED"];

/**
 * Returns the sources of the revisions of a deployment.
 * @param revisions newest first
 */
export function targetSources(
  { activeRevisionId, source: kind }: FoundDeployment,
  revisions: readonly FoundRevision[],
): TargetSources {
  const serving = findServing(revisions, activeRevisionId);
  const source = (revision: FoundRevision | undefined) => revision && sourceOf(kind, revision);
  const [newest] = revisions;
  const isInProgress = ({ status }: FoundRevision) =>
    status !== "DEPLOYED" && !status.includes("FAILED") && !endedStatuses.includes(status);
  const rollouts = revisions.flatMap((revision) => {
    const found = source(revision);
    return found ? [{ ...found, status: revision.status }] : [];
  });
  return {
    serving: source(serving),
    rollingOut: newest && isInProgress(newest) ? source(newest) : undefined,
    failed: failedSources(rollouts, source(serving)),
    failedAfter: (promoted) => failedSources([{ ...promoted, status: "DEPLOYED" }, ...rollouts], promoted),
  };
}

type Rollout = Source & { status: string };

/**
 * Returns the sources whose last rollout failed or was rolled back, except the source that serves requests.
 * @param rollouts all rollouts, newest first
 */
function failedSources(rollouts: readonly Rollout[], serving: Source | undefined): TargetSources["failed"] {
  const isServing = ({ artifact }: Source) => artifact === serving?.artifact;
  const ended = rollouts.filter(({ status }) => status === "DEPLOYED" || status.includes("FAILED"));
  return ended.flatMap((rollout, index): TargetSources["failed"] => {
    const isLast = ended.findIndex(({ artifact }) => artifact === rollout.artifact) === index;
    if (!isLast || isServing(rollout)) return [];
    if (rollout.status !== "DEPLOYED") return [rollout];
    // The control plane does not report failed verifications, but it does report the rollbacks that follow
    // them.
    const hasServed = (one: Rollout) => one.status === "DEPLOYED" && isServing(one);
    const isRolledBack = ended.slice(0, index).some(hasServed) && ended.slice(index + 1).some(hasServed);
    return isRolledBack ? [{ ...rollout, status: undefined }] : [];
  });
}

/**
 * Returns the source that these fields specify. Its artifact is the image or, for a repository, the recorded commit or
 * else the ref.
 */
export function sourceOf(
  kind: string | undefined,
  { repoRef, commit, imageUri, graphConfigPath }: SourceFields,
): Source | undefined {
  const source = kind ?? (repoRef == null ? "external_docker" : "github");
  // A revision that was built from a repository may also report the resulting image.
  const artifact = source === "github" ? (commit ?? repoRef) : imageUri;
  return artifact == null ? undefined : { source, artifact, graphConfigPath: graphConfigPath ?? undefined };
}
