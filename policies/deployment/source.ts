import type { ResourceInputs } from "../resource/inputs";

/** Source of revisions: either built from a repository, or taken from a container image. */
export type SourceKind = "repository" | "image" | "other";

/**
 * Returns the kind of a deployment's source, from `source` or, if it is not set, from the other inputs. @throws
 * NotKnownYet
 */
export function sourceKind(deployment: ResourceInputs): SourceKind {
  const source = deployment.at("source");
  if (source === "github") return "repository";
  if (typeof source === "string" && source.endsWith("_docker")) return "image";
  if (deployment.at("sourceConfig.repoUrl") !== undefined) return "repository";
  return deployment.at("sourceRevisionConfig.imageUri") === undefined ? "other" : "image";
}

/**
 * True if the deployment runs in a self-hosted installation instead of on the public service.
 * @throws NotKnownYet
 */
export function isSelfHosted(deployment: ResourceInputs): boolean {
  return (
    deployment.at("source") === "external_docker" || deployment.at("sourceConfig.listenerId") !== undefined
  );
}
