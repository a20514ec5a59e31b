import type { DeploymentService } from "../deployments/service";
import type { StoredDeployment } from "../store/deployments";
import type { StoredRevision } from "../store/revisions";
import type { Store } from "../store/store";
import { type Branch, branchOf, followedBranch } from "./branch";

export interface PushEventsDeps {
  store: Store;
  deploymentService: DeploymentService;
  /** True if the commits of revisions exist in the repository. */
  buildsAreReal: boolean;
}

interface Following {
  deployment: StoredDeployment;
  latest: StoredRevision | undefined;
}

/** Detects pushes and creates revisions from them. */
export class PushEvents {
  constructor(private readonly deps: PushEventsDeps) {}

  /**
   * Records the current commit of a deployment's branch.
   *
   * @param head - Null if the branch does not exist. If the branch is created later, that is not treated as a push.
   * @returns the created revision, if there was a push.
   */
  seen(deploymentId: string, wanted: Branch, head: string | null): StoredRevision | undefined {
    const { trackedBranches } = this.deps.store;
    const following = this.#following(deploymentId, wanted);
    if (!following) return undefined;
    const { latest } = following;
    const known = trackedBranches.find(deploymentId);
    if (!known && this.#isUndecided(latest, wanted.branch)) return undefined;
    const same = known?.repoUrl === wanted.repoUrl && known.branch === wanted.branch;
    const before = known ? (same ? known.commit : null) : this.#built(latest, wanted.branch);
    const isPush = head !== null && before !== null && head !== before && head !== latest?.resolvedCommit;
    if (isPush) return this.#build(following, wanted, head);
    if (!same || known.commit !== head) trackedBranches.keep({ ...wanted, deploymentId, commit: head });
    return undefined;
  }

  /** Records a push that was reported. A commit that is already known does not create a revision. */
  learn(deploymentId: string, wanted: Branch, commit: string | null): StoredRevision | undefined {
    const following = this.#following(deploymentId, wanted);
    if (!following) return undefined;
    const known = this.deps.store.trackedBranches.find(deploymentId)?.commit;
    const isKnown = commit !== null && [known, following.latest?.resolvedCommit].includes(commit);
    return isKnown ? undefined : this.#build(following, wanted, commit);
  }

  /**
   * Records that a deployment does not follow a branch, so that commits that are pushed in the meantime are not built
   * later.
   */
  ignore(deploymentId: string): void {
    const { store } = this.deps;
    void store.eventually(() => {
      if (store.deployments.find(deploymentId))
        store.trackedBranches.keep({ deploymentId, repoUrl: "", branch: "", commit: null });
    });
  }

  /**
   * Returns the deployment if it still exists and still follows the branch. Either may have changed while the
   * repository was being read.
   */
  #following(deploymentId: string, { repoUrl, branch }: Branch): Following | undefined {
    const deployment = this.deps.store.deployments.find(deploymentId);
    const latest = this.deps.store.revisions.latest(deploymentId);
    if (!deployment) return undefined;
    const followed = followedBranch(deployment, latest);
    return followed?.repoUrl === repoUrl && followed.branch === branch ? { deployment, latest } : undefined;
  }

  /** True if the build that determines the commit of the branch is still running. */
  #isUndecided(latest: StoredRevision | undefined, branch: string): boolean {
    return (
      this.deps.buildsAreReal &&
      latest !== undefined &&
      latest.phase !== "ended" &&
      latest.resolvedCommit === null &&
      branchOf(latest.sourceRevisionConfig.repo_ref) === branch
    );
  }

  /** Returns the commit that the newest revision was built from, if it was built from this branch. */
  #built(latest: StoredRevision | undefined, branch: string): string | null {
    if (!this.deps.buildsAreReal || branchOf(latest?.sourceRevisionConfig.repo_ref) !== branch) return null;
    return latest?.resolvedCommit ?? null;
  }

  #build({ deployment }: Following, pushed: Branch, commit: string | null): StoredRevision {
    const { store, deploymentService } = this.deps;
    const deploymentId = deployment.id;
    const revision = deploymentService.push(deploymentId, pushed.branch, commit, () =>
      store.trackedBranches.keep({ ...pushed, deploymentId, commit }),
    );
    const what = commit === null ? "" : ` (commit ${commit})`;
    store.logs.append(revision.id, "build", "INFO", `Created by a push to ${pushed.branch}${what}.`);
    return revision;
  }
}
