import type { RolloutJob, RolloutReport } from "../../rollout/rollout";
import type { Folders } from "../folders";
import type { StoredRevision } from "../store/revisions";
import type { Store } from "../store/store";
import { uploadNamed } from "../uploads/path";
import { type TransitionCause, transition } from "./transition";

/** Result of a rollout. */
export interface Verdict {
  status: string;
  /** Message that is reported as the `status_message` of the revision. */
  message: string | null;
}

/** Records the progress of revisions, and creates the jobs for rollouts. */
export class RolloutRecorder {
  /**
   * @param folders - Absent if rollouts do not use folders.
   * @param transitionCause - Returns which status changes are currently allowed for a revision.
   */
  constructor(
    private readonly store: Store,
    private readonly folders: Folders | undefined,
    private readonly transitionCause: (job: RolloutJob) => TransitionCause,
  ) {}

  job(revision: StoredRevision): RolloutJob {
    const deployment = this.store.deployments.find(revision.deploymentId);
    if (!deployment) throw new Error(`Revision ${revision.id} has no deployment.`);
    const upload = uploadNamed(revision.sourceRevisionConfig.source_tarball_path);
    return {
      deploymentId: deployment.id,
      revisionId: revision.id,
      deploymentName: deployment.name,
      source: deployment.source,
      sourceConfig: revision.sourceConfig,
      sourceRevisionConfig: revision.sourceRevisionConfig,
      secrets: revision.secrets,
      ...(revision.resolvedCommit === null ? {} : { resolvedCommit: revision.resolvedCommit }),
      ...(this.folders && upload ? { uploadFolder: this.folders.upload(upload) } : {}),
      dataFolder: this.folders?.data(deployment.id) ?? "",
      revisionFolder: this.folders?.revision(deployment.id, revision.id) ?? "",
    };
  }

  report(revisionId: string): RolloutReport {
    return {
      status: (status) => this.move(revisionId, status),
      log: (type, level, message) => this.store.logs.append(revisionId, type, level, message),
      resolvedCommit: (sha) => this.#eventually(revisionId, () => ({ resolvedCommit: sha })),
      runtime: (name) =>
        void this.store.eventually(() => {
          if (this.store.revisions.find(revisionId)) this.store.revisions.noteRuntime(revisionId, name);
        }),
    };
  }

  /** Changes the status of a revision if the change is valid and its rollout has not ended. */
  move(revisionId: string, to: string): void {
    this.#eventually(revisionId, (revision) => {
      const status = transition(revision.status, to, this.transitionCause(this.job(revision)));
      return status === undefined || status === revision.status ? undefined : { status };
    });
  }

  /** Records that a rollout has started. */
  begin(revisionId: string): void {
    this.#eventually(revisionId, () => ({ phase: "rolling" }));
  }

  /** Records a status that was set manually. */
  mark(revision: StoredRevision, status: string, message: string | null): void {
    this.store.transaction(() =>
      this.store.revisions.update({ ...revision, status, statusMessage: message }),
    );
  }

  /** Records a result that was set manually for a rollout. */
  endNow(revision: StoredRevision, verdict: Verdict): void {
    this.store.logs.flush();
    this.store.transaction(() => this.#end(revision, verdict));
  }

  /**
   * Records the result of a rollout, unless it has already ended.
   *
   * @param verdictOn - Returns the result for the current state of the revision.
   * @param signal - Cancels the attempt if the result cannot be written yet.
   * @returns true if the rollout ended with this result.
   */
  async end(
    revisionId: string,
    verdictOn: (revision: StoredRevision) => Verdict,
    signal?: AbortSignal,
  ): Promise<boolean> {
    this.store.logs.flush();
    let ended = false;
    await this.store.eventually(() => {
      const revision = this.#underWay(revisionId);
      if (revision) this.#end(revision, verdictOn(revision));
      ended = revision !== undefined;
    }, signal);
    return ended;
  }

  /** Ends the rollout. If it succeeded, the revision becomes the active one. */
  #end(revision: StoredRevision, { status, message }: Verdict): void {
    this.store.revisions.update({ ...revision, status, statusMessage: message, phase: "ended" });
    const deployment = this.store.deployments.find(revision.deploymentId);
    if (deployment && status === "DEPLOYED")
      this.store.deployments.update({ ...deployment, activeRevisionId: revision.id });
  }

  /** Records a change to a running rollout as soon as it can be written. */
  #eventually(
    revisionId: string,
    change: (revision: StoredRevision) => Partial<StoredRevision> | undefined,
  ): void {
    void this.store.eventually(() => {
      const revision = this.#underWay(revisionId);
      const changed = revision && change(revision);
      if (changed) this.store.revisions.update({ ...revision, ...changed });
    });
  }

  #underWay(revisionId: string): StoredRevision | undefined {
    const revision = this.store.revisions.find(revisionId);
    return revision?.phase === "ended" ? undefined : revision;
  }
}
