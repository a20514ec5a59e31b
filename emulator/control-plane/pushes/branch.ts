import { isCommit } from "../../../wire";
import { trackedRef } from "../deployments/record";
import type { StoredDeployment } from "../store/deployments";
import type { StoredRevision } from "../store/revisions";

export interface Branch {
  repoUrl: string;
  branch: string;
}

/** Returns the branch that `ref` refers to, or `undefined` for tags and commits. */
export function branchOf(ref: string | null | undefined): string | undefined {
  if (!ref || isCommit(ref)) return undefined;
  const branch = ref.replace(/^refs\/heads\//, "");
  return branch.startsWith("refs/") || branch === "HEAD" ? undefined : branch;
}

/** Returns the branch that a deployment follows, or `undefined` if it is not built on push. */
export function followedBranch(
  deployment: StoredDeployment,
  latest: StoredRevision | undefined,
): Branch | undefined {
  const { build_on_push, repo_url: repoUrl } = deployment.sourceConfig;
  const branch = branchOf(trackedRef(deployment, latest));
  if (deployment.goneAt !== null || !build_on_push || !repoUrl || branch === undefined) return undefined;
  return { repoUrl, branch };
}

/** True if two URLs refer to the same repository, based only on the text of the URLs. */
export function sameRepository(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

function plain(repoUrl: string): string {
  return repoUrl
    .trim()
    .replace(/^file:\/\//, "")
    .replace(/^([\w+.-]+:\/\/)[^/@]*@/, "$1")
    .replace(/\/+$/, "")
    .replace(/\.git$/, "");
}
