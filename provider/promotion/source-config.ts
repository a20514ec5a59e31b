import type { Source } from "./artifact";

/** Returns the value of `sourceRevisionConfig` for a source. */
export function toSourceRevisionConfig({ source, artifact, graphConfigPath }: Source) {
  return {
    repoRef: source === "github" ? artifact : undefined,
    imageUri: source === "github" ? undefined : artifact,
    graphConfigPath,
  };
}
