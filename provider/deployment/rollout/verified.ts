import { hasDigest, isCommit, type RevisionRecord } from "../../../wire";
import { abbreviate } from "../../promotion/artifact";
import type { DeploymentInputs } from "../inputs/inputs";
import { fromWireSourceRevisionConfig } from "../mapping";
import type { VerifiedArtifact, VerifiedArtifacts } from "../state";

/** Maximum number of verified artifacts that the state keeps. */
export const maxVerified = 20;

/**
 * A revision with a verified artifact: either one that passed its verification, or a rollback to such a revision after
 * another one failed.
 */
export type VerifiedRevision =
  VerifiedArtifact | { revisionId: string; rollbackTo: string; failed: VerifiedArtifact };

/**
 * Returns the verified artifacts for the state.
 * @param before the verified artifacts in state
 * @param servingId the active revision, created by any client
 * @param verified the revision that the operation has verified or rolled back to
 */
export function verifiedAfter(
  { history }: VerifiedArtifacts = { history: [] },
  servingId: string | undefined,
  verified?: VerifiedRevision,
): VerifiedArtifacts {
  const entry = verified && entryOf(history, verified);
  const now = entry
    ? [entry, ...history.filter((other) => !isSameArtifact(other, entry))].slice(0, maxVerified)
    : history;
  return { current: now.find(({ revisionId }) => revisionId === servingId), history: now };
}

/**
 * Returns the entry to store for a revision; `undefined` for a rollback to a revision that was never verified, or whose
 * artifact is the one that failed.
 */
function entryOf(
  history: readonly VerifiedArtifact[],
  verified: VerifiedRevision,
): VerifiedArtifact | undefined {
  if ("rollbackTo" in verified) {
    const { revisionId, rollbackTo, failed } = verified;
    const good = history.find((entry) => entry.revisionId === rollbackTo);
    return good && !isSameArtifact(good, failed) ? { ...good, revisionId } : undefined;
  }
  const earlier = history.find((entry) => isSameArtifact(entry, verified));
  return { ...verified, verifiedAt: earlier?.verifiedAt ?? verified.verifiedAt };
}

function isSameArtifact(one: VerifiedArtifact, other: VerifiedArtifact): boolean {
  if (one.artifact === undefined) return one.revisionId === other.revisionId;
  return (
    one.source === other.source &&
    one.artifact === other.artifact &&
    one.graphConfigPath === other.graphConfigPath
  );
}

/**
 * Returns the entry for a revision that has passed its verification.
 * @param verifiedAt time of the verification
 * @param evaluation score of the evaluation, if there was one
 */
export function verifiedArtifactOf(
  { source, sourceRevisionConfig: { contentHash }, rollout }: DeploymentInputs,
  { id, source_revision_config: config }: RevisionRecord,
  verifiedAt: string,
  evaluation?: number,
): VerifiedArtifact {
  const { graphConfigPath } = fromWireSourceRevisionConfig(config);
  const { ok = true, graph, run } = rollout?.verify ?? {};
  return {
    source,
    artifact: source === "internal_source" ? (contentHash ?? undefined) : recordedArtifact(source, config),
    graphConfigPath: graphConfigPath ?? undefined,
    revisionId: id,
    verifiedAt,
    verification: { ok, graph, run: run != null, ...(evaluation !== undefined && { evaluation }) },
  };
}

/**
 * Describes the source of a revision; `undefined` if it is the source in the inputs, or if the inputs specify a folder.
 * A branch or tag in the inputs matches every commit.
 */
export function foreignSourceOf(
  inputs: DeploymentInputs,
  { source_revision_config: config }: RevisionRecord,
): string | undefined {
  const { source, sourceRevisionConfig } = inputs;
  if (source === "internal_source") return undefined;
  const { ref, isFixed } = declaredArtifact(inputs);
  const { repoRef, imageUri, graphConfigPath } = fromWireSourceRevisionConfig(config);
  const built = recordedArtifact(source, config) ?? (source === "github" ? repoRef : imageUri);
  if (isFixed && built != null && built.toLowerCase() !== ref!.toLowerCase()) return abbreviate(built);
  const path = sourceRevisionConfig.graphConfigPath;
  if (path == null || graphConfigPath == null || path === graphConfigPath) return undefined;
  return built == null ? graphConfigPath : `${abbreviate(built)} with ${graphConfigPath}`;
}

/** Returns the commit, branch, or image in the inputs. `isFixed` is true if it always refers to the same contents. */
export function declaredArtifact({ source, sourceRevisionConfig: { repoRef, imageUri } }: DeploymentInputs): {
  ref: string | null | undefined;
  isFixed: boolean;
} {
  return source === "github"
    ? { ref: repoRef, isFixed: isCommit(repoRef) }
    : { ref: imageUri, isFixed: hasDigest(imageUri) };
}

/** Returns the full commit, or the image with its digest, that a revision was deployed from, if it is reported. */
export function recordedArtifact(
  source: string,
  config: RevisionRecord["source_revision_config"],
): string | undefined {
  const { repoRef, imageUri } = fromWireSourceRevisionConfig(config);
  // A revision that was built from a repository may also report the resulting image.
  if (source === "github") return [config?.repo_commit_sha, repoRef].find(isCommit) ?? undefined;
  return source === "external_docker" && hasDigest(imageUri) ? imageUri! : undefined;
}
