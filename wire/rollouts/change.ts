import { isCommit } from "../commit";
import type { RevisionRecord } from "../revision";

/** Change that a rollout applies. Rollouts with the same kind of change have comparable durations. */
export type RolloutChange = "first" | "source" | "settings";

/** Commit, branch, archive, image, or folder contents that a revision is built from. */
interface Source {
  value: string;
  /** True if the source always refers to the same contents, unlike a branch. */
  isFixed: boolean;
}

/** Fields of a revision record from which the revision's source is read. */
type RevisionSource = Pick<RevisionRecord, "source_revision_config">;

/**
 * Returns the kind of change between two sources; `undefined` if one is unknown, or if both refer to the same branch,
 * because the branch may have moved.
 */
export function changeBetween(
  before: Source | undefined,
  after: Source | undefined,
): RolloutChange | undefined {
  if (!before || !after) return undefined;
  if (before.value !== after.value) return "source";
  return after.isFixed ? "settings" : undefined;
}

/** Returns the source of a revision; `undefined` if no part of it is known. */
export function sourceIn({
  contents,
  ref,
  imageUri,
}: {
  /** ID of an uploaded archive, or hash of a folder's contents. */
  contents?: string | null | undefined;
  ref?: string | null | undefined;
  imageUri?: string | null | undefined;
}): Source | undefined {
  if (contents != null) return { value: contents, isFixed: true };
  if (ref != null) return { value: ref, isFixed: isCommit(ref) };
  return imageUri == null ? undefined : { value: imageUri, isFixed: imageUri.includes("@sha256:") };
}

/**
 * Returns the change between a revision and the previous one. Returns `undefined` if the records do not show the
 * change. Also returns `undefined` if one of the two sources is at a different location than the source of `newest`,
 * because the agent there may be written in a different language.
 *
 * @param newest - Revision whose rollout others are compared with.
 */
export function changeOf(
  revision: RevisionSource,
  before: RevisionSource | undefined,
  newest: RevisionSource,
): RolloutChange | undefined {
  if (!before || [revision, before].some((one) => locationOf(one) !== locationOf(newest))) return undefined;
  return changeBetween(sourceOf(before), sourceOf(revision));
}

/** Returns an image reference without its tag and its digest. */
export function imageName(image: string): string {
  return image.replace(/@sha256:.*$/, "").replace(/:[^/:]*$/, "");
}

function sourceOf({ source_revision_config: source }: RevisionSource): Source | undefined {
  const {
    repo_commit_sha: commit,
    repo_ref: ref,
    source_tarball_path: contents,
    image_uri: imageUri,
  } = source ?? {};
  return sourceIn({ ref: commit ?? ref, contents, imageUri });
}

function locationOf({ source_revision_config: source }: RevisionSource): string {
  const image = source?.repo_ref == null && source?.image_uri != null ? imageName(source.image_uri) : "";
  return `${image} ${source?.graph_config_path ?? source?.langgraph_config_path ?? ""}`;
}
