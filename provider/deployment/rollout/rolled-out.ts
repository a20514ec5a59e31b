import { hasDigest, isCommit, type RevisionRecord } from "../../../wire";
import type { DeploymentInputs } from "../inputs/inputs";
import type { DeploymentOutputs } from "../state";
import type { RolloutRequest } from "./awaited";
import type { RolloutEnd } from "./verify";
import { recordedArtifact } from "./verified";

/** Source of the last change that the stack made to a deployment. */
export type RolledOut = NonNullable<DeploymentOutputs["rolledOut"]>;

/**
 * Returns the source for the state after a create or update. Reads keep it, so that it never contains what others have
 * rolled out. A source whose rollout failed is stored only if there is no earlier one.
 */
export function rolledOutAfter(
  { inputs, previous, awaited }: Pick<RolloutRequest, "inputs" | "previous" | "awaited">,
  end: RolloutEnd | undefined,
): RolledOut | undefined {
  if (previous && !awaited) return previous.rolledOut;
  const rolledOut = rolledOutOf(inputs, end?.revision);
  return end?.outcome === "failed" ? (previous?.rolledOut ?? rolledOut) : rolledOut;
}

/** Returns the source in the inputs: the commit of a branch if the revision reports it. */
export function rolledOutOf(
  { source, sourceRevisionConfig: { repoRef, imageUri, graphConfigPath } }: DeploymentInputs,
  revision?: RevisionRecord,
): RolledOut | undefined {
  const [ref, isFixed] = source === "github" ? [repoRef, isCommit(repoRef)] : [imageUri, hasDigest(imageUri)];
  const artifact = isFixed ? ref : (recordedArtifact(source, revision?.source_revision_config) ?? ref);
  return artifact == null ? undefined : { source, artifact, graphConfigPath: graphConfigPath ?? undefined };
}
