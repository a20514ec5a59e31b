import { createHash } from "node:crypto";
import { isCommit } from "../../wire";
import type { RolloutJob } from "./rollout";

/** Returns a commit that is always the same for a ref of a repository. */
export function fakeCommit({
  sourceConfig,
  sourceRevisionConfig,
  resolvedCommit,
}: RolloutJob): string | undefined {
  const ref = sourceRevisionConfig.repo_ref;
  if (!ref || resolvedCommit) return undefined;
  if (isCommit(ref)) return ref;
  return createHash("sha1").update(`${sourceConfig.repo_url} ${ref}`).digest("hex");
}
