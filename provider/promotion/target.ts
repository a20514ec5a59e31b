import { findServing } from "../deployment/serving-revision";
import type { FunctionResult } from "../lookup/functions";
import type { Source, TargetSources } from "./decide";

type FoundDeployment = Pick<FunctionResult<"getDeployment">, "activeRevisionId" | "source">;
type FoundRevision = FunctionResult<"getRevisions">["revisions"][number];

/** Statuses of revisions that neither serve nor will serve. */
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
  const newer = serving ? revisions.slice(0, revisions.indexOf(serving)) : revisions;
  return {
    serving: source(serving),
    rollingOut: newest && isInProgress(newest) ? source(newest) : undefined,
    failed: newer
      .filter(({ status }) => status.includes("FAILED"))
      .flatMap((revision) => {
        const failed = source(revision);
        return failed ? [{ ...failed, status: revision.status }] : [];
      }),
  };
}

/** Returns the source of a revision: the recorded commit, or else the reference in its configuration. */
function sourceOf(
  kind: string | undefined,
  { repoRef, commit, imageUri, graphConfigPath }: FoundRevision,
): Source | undefined {
  const source = kind ?? (repoRef === undefined ? "external_docker" : "github");
  // A revision of a repository may report the image that it was built into as well.
  const artifact = source === "github" ? (commit ?? repoRef) : imageUri;
  return artifact === undefined ? undefined : { source, artifact, graphConfigPath };
}
