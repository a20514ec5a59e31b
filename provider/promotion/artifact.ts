import { hasDigest, isCommit } from "../../wire/commit";

/** Source of a revision. */
export interface Source {
  /** Kind of source, for example `github`. */
  source: string;
  /** Commit, branch, tag, or image. */
  artifact: string;
  graphConfigPath?: string | undefined;
}

/**
 * True if the artifact can be deployed to another environment. The contents of a folder cannot, because they are not
 * stored.
 */
export function isPromotable<Entry extends Partial<Source>>(
  entry: Entry | undefined,
): entry is Entry & Source {
  return entry?.artifact !== undefined && entry.source !== "internal_source";
}

/** True if the approval is for this commit or image. */
export function isApproved(approved: string | null, artifact: string): boolean {
  if (approved === null) return false;
  if (approved === artifact || artifact.endsWith(`@${approved}`)) return true;
  return (
    isCommit(artifact) &&
    /^[0-9a-f]{7,}$/i.test(approved) &&
    artifact.toLowerCase().startsWith(approved.toLowerCase())
  );
}

/** True if the artifact always refers to the same contents: a full commit ID, or an image with its digest. */
export function isImmutable(artifact: string): boolean {
  return isCommit(artifact) || hasDigest(artifact);
}

/**
 * True if both sources have the same artifact and, if both report one, the same path of the graph
 * configuration.
 */
export function isSame(one: Partial<Source>, other: Source | undefined): boolean {
  if (!other || one.artifact !== other.artifact) return false;
  const paths = [one.graphConfigPath, other.graphConfigPath];
  return paths.includes(undefined) || paths[0] === paths[1];
}

/** Shortens a commit or an image digest for display. */
export function abbreviate(artifact: string): string {
  if (isCommit(artifact)) return artifact.slice(0, 7);
  return artifact.replace(/((?:@|^)sha256:[0-9a-f]{12})[0-9a-f]+$/, "$1");
}
