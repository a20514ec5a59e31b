import { createHash } from "node:crypto";
import type { RolloutJob } from "./rollout";

/** A commit that the same ref of the same repository always leads to. */
export function pretendedCommit({
  sourceConfig,
  sourceRevisionConfig,
  resolvedCommit,
}: RolloutJob): string | undefined {
  const ref = sourceRevisionConfig.repo_ref;
  if (!ref || resolvedCommit) return undefined;
  if (/^[0-9a-f]{40}$/.test(ref)) return ref;
  return createHash("sha1").update(`${sourceConfig.repo_url} ${ref}`).digest("hex");
}
