import { imageName, type RolloutChange } from "../../../wire/rollouts/change";
import { normalizeAddress } from "../../repository/same-repository";

/** Properties that must match for rollouts to have comparable durations; `undefined` if a property is not known. */
export interface RolloutTraits {
  /** The change that the rollout applies. */
  change?: RolloutChange | undefined;
  /** ID of the source's location. The language of the agent depends on this location. */
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
  if (repoUrl == null && folder == null) return `image ${imageName(imageUri!)}`;
  const place = repoUrl == null ? `folder ${folder}` : `repository ${normalizeAddress(repoUrl)}`;
  return `${place} ${graphConfigPath ?? "langgraph.json"}`;
}
