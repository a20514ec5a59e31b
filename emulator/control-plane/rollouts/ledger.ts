import type { RolloutJob, RolloutReport } from "../../rollout/rollout";
import type { Folders } from "../folders";
import type { StoredRevision } from "../store/revisions";
import type { Store } from "../store/store";
import { type Mover, transition } from "./transition";

/** Writes down what becomes of revisions, and tells rollouts what they are to do. */
export class Ledger {
  /**
   * @param folders - Absent where rollouts use none.
   * @param mover - How a revision's status may move now.
   */
  constructor(
    private readonly store: Store,
    private readonly folders: Folders | undefined,
    private readonly mover: (job: RolloutJob) => Mover,
  ) {}

  job(revision: StoredRevision): RolloutJob {
    const deployment = this.store.deployments.find(revision.deploymentId);
    if (!deployment) throw new Error(`Revision ${revision.id} has no deployment.`);
    return {
      deploymentId: deployment.id,
      revisionId: revision.id,
      deploymentName: deployment.name,
      source: deployment.source,
      sourceConfig: revision.sourceConfig,
      sourceRevisionConfig: revision.sourceRevisionConfig,
      secrets: revision.secrets,
      ...(revision.resolvedCommit === null ? {} : { resolvedCommit: revision.resolvedCommit }),
      dataFolder: this.folders?.data(deployment.id) ?? "",
      revisionFolder: this.folders?.revision(deployment.id, revision.id) ?? "",
    };
  }

  report(revisionId: string): RolloutReport {
    return {
      status: (status) => this.move(revisionId, status),
      log: (type, level, message) => this.store.logs.append(revisionId, type, level, message),
      resolvedCommit: (sha) => {
        const revision = this.store.revisions.find(revisionId);
        if (revision) this.#write({ ...revision, resolvedCommit: sha });
      },
    };
  }

  /** Moves a revision on, if there is such a move and its rollout is not over. */
  move(revisionId: string, to: string): void {
    const revision = this.store.revisions.find(revisionId);
    if (!revision || revision.phase === "ended") return;
    const status = transition(revision.status, to, this.mover(this.job(revision)));
    if (status !== undefined && status !== revision.status) this.#write({ ...revision, status });
  }

  /** Writes that a rollout has started. */
  begin(revision: StoredRevision): void {
    this.#write({ ...revision, phase: "rolling" });
  }

  /** Writes a status that somebody gave by hand. */
  mark(revision: StoredRevision, status: string, message: string | null): void {
    this.#write({ ...revision, status, statusMessage: message });
  }

  /** Writes a rollout's end; a success also makes the active revision. */
  end(revision: StoredRevision, status: string, message: string | null): void {
    this.store.logs.flush();
    this.store.transaction(() => {
      this.store.revisions.update({ ...revision, status, statusMessage: message, phase: "ended" });
      const deployment = this.store.deployments.find(revision.deploymentId);
      if (deployment && status === "DEPLOYED")
        this.store.deployments.update({ ...deployment, activeRevisionId: revision.id });
    });
  }

  #write(revision: StoredRevision): void {
    this.store.transaction(() => this.store.revisions.update(revision));
  }
}
