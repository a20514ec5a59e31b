import { isCommit, type RevisionRecord } from "../../../wire";
import { normalizeAddress } from "../../repository/same-repository";

/** Properties that must match for rollouts to have comparable durations; `undefined` if a property is not known. */
export interface RolloutTraits {
  /** The change that the rollout applies. */
  change?: "first" | "source" | "settings" | undefined;
  /** Location of the source, which determines the language. */
  sourceId?: string | undefined;
}

/** Location of a source: a repository, an image, or a folder, and the path of the graph configuration in it. */
interface SourceLocation {
  repoUrl?: string | null | undefined;
  imageUri?: string | null | undefined;
  folder?: string | null | undefined;
  graphConfigPath?: string | null | undefined;
}

/** Returns an ID of the location of a source; `undefined` if none of its parts is known. */
export function sourceIdOf({
  repoUrl,
  imageUri,
  folder,
  graphConfigPath,
}: SourceLocation): string | undefined {
  if (repoUrl == null && imageUri == null && folder == null) return undefined;
  if (repoUrl == null && folder == null) return `image ${withoutTag(imageUri!)}`;
  const place = repoUrl == null ? `folder ${folder}` : `repository ${normalizeAddress(repoUrl)}`;
  return `${place} ${graphConfigPath ?? "langgraph.json"}`;
}

/** Commit, branch, archive, image, or folder contents that a revision is built from. */
interface Source {
  value: string;
  /** True if the source always refers to the same contents, unlike a branch. */
  isFixed: boolean;
}

/**
 * Returns the change between two sources; `undefined` if one is unknown, or if both are a branch, which may have moved.
 */
export function changeBetween(
  before: Source | undefined,
  after: Source | undefined,
): RolloutTraits["change"] {
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
  /** ID of an archive, or hash of a folder's contents. */
  contents?: string | null | undefined;
  ref?: string | null | undefined;
  imageUri?: string | null | undefined;
}): Source | undefined {
  if (contents != null) return { value: contents, isFixed: true };
  if (ref != null) return { value: ref, isFixed: isCommit(ref) };
  return imageUri == null ? undefined : { value: imageUri, isFixed: imageUri.includes("@sha256:") };
}

/**
 * Returns the change to a revision since the previous one; `undefined` if the records do not show it, or if the newest
 * revision has its source at a different location and therefore possibly in a different language.
 */
export function changeOf(
  revision: RevisionRecord,
  before: RevisionRecord | undefined,
  newest: RevisionRecord,
): RolloutTraits["change"] {
  if (!before || [revision, before].some((one) => locationOf(one) !== locationOf(newest))) return undefined;
  return changeBetween(sourceOf(before), sourceOf(revision));
}

function sourceOf({ source_revision_config: source }: RevisionRecord): Source | undefined {
  const {
    repo_commit_sha: commit,
    repo_ref: ref,
    source_tarball_path: contents,
    image_uri: imageUri,
  } = source ?? {};
  return sourceIn({ ref: commit ?? ref, contents, imageUri });
}

function locationOf({ source_revision_config: source }: RevisionRecord): string {
  const image = source?.repo_ref == null && source?.image_uri != null ? withoutTag(source.image_uri) : "";
  return `${image} ${source?.graph_config_path ?? source?.langgraph_config_path ?? ""}`;
}

function withoutTag(image: string): string {
  return image.replace(/@sha256:.*$/, "").replace(/:[^/:]*$/, "");
}
