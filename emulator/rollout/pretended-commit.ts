import { createHash } from "node:crypto";
import { isCommit } from "../../wire";
import type { RolloutJob } from "./rollout";

/** A commit that the same ref of the same repository always leads to. */
export function pretendedCommit({
  sourceConfig,
  sourceRevisionConfig,
  resolvedCommit,
}: RolloutJob): string | undefined {
  const ref = sourceRevisionConfig.repo_ref;
  if (!ref || resolvedCommit) return undefined;
  if (isCommit(ref)) return ref;
  return createHash("sha1").update(`${sourceConfig.repo_url} ${ref}`).digest("hex");
}
