import type { Clock } from "../../clock";
import { killTreesOf, treeOwner } from "../../process/process-tree";
import {
  RolloutFailure,
  type RolloutJob,
  type RolloutRunner,
  type RunningAgent,
} from "../../rollout/rollout";
import { Background } from "../background";
import type { Folders } from "../folders";
import type { StoredRevision } from "../store/revisions";
import type { Store } from "../store/store";
import { Agents, type AgentState } from "./agents";
import { RolloutRecorder, type Verdict } from "./rollout-recorder";
import { ended, type TransitionCause, transition } from "./transition";

export interface SupervisorDeps {
  store: Store;
  clock: Clock;
  runner: RolloutRunner;
  /** Folders of the deployments; absent if rollouts do not use folders. */
  folders: Folders | undefined;
  /** Returns which status changes are currently allowed for the revision. */
  transitionCause(job: RolloutJob): TransitionCause;
  /** True if only the newest waiting revision is rolled out and earlier ones are SKIPPED. */
  skipsSuperseded: boolean;
  /** Called for every deployment that has been stopped permanently. */
  released(deploymentId: string): void;
  /** Called with internal errors of the control plane. */
  reportError: (error: unknown) => void;
}

interface Rollout {
  revisionId: string;
  abort: AbortController;
  done: Promise<void>;
}

/**
 * Runs rollouts one at a time per deployment, and queues the others. The running agent is replaced only if a rollout
 * succeeds.
 */
export class Supervisor {
  readonly #agents: Agents;
  readonly #recorder: RolloutRecorder;
  readonly #rollouts = new Map<string, Rollout>();
  readonly #background: Background;
  #closing = false;

  constructor(private readonly deps: SupervisorDeps) {
    this.#agents = new Agents(deps.runner, deps.clock);
    this.#background = new Background((error) => deps.reportError(error));
    this.#recorder = new RolloutRecorder(deps.store, deps.folders, (job) => deps.transitionCause(job));
  }

  /** Stops processes of an earlier control plane that was killed together with its supervisors. */
  async endLeftovers(): Promise<void> {
    await this.#endProcessesOf(this.deps.store.deployments.all().map(({ id }) => id));
  }

  async #endProcessesOf(deploymentIds: string[]): Promise<void> {
    const { folders } = this.deps;
    if (folders) await killTreesOf(deploymentIds.map((id) => treeOwner(folders.data(id))));
  }

  /** Resumes the work of an earlier process: restarts agents that were running and rollouts that were not finished. */
  resume(): void {
    for (const deployment of this.deps.store.deployments.all()) {
      if (deployment.goneAt !== null) continue;
      const { activeRevisionId: activeId } = deployment;
      const active = activeId === null ? undefined : this.deps.store.revisions.find(activeId);
      if (active) this.#agents.revive(this.#recorder.job(active), this.#recorder.report(active.id));
      this.wake(deployment.id);
    }
  }

  /**
   * Starts the rollout of the deployment's next revision if no other rollout is running and its database is ready.
   * Later revisions stay queued.
   */
  wake(deploymentId: string): void {
    if (this.#closing) return;
    if (this.deps.store.deployments.find(deploymentId)?.databaseAt != null) return;
    const waiting = this.deps.store.revisions.unfinished(deploymentId);
    const busy = this.#rollouts.has(deploymentId);
    const [next, ...later] = busy ? waiting : this.#withoutSuperseded(waiting);
    if (!next) return;
    if (!busy) this.#start(next);
    for (const revision of busy ? [next, ...later] : later)
      if (revision.phase === "waiting") this.#recorder.move(revision.id, "QUEUED");
  }

  /**
   * Returns the revisions that still have to be rolled out, oldest first. A rollout that has started is completed.
   * Among the waiting revisions, only the newest one is rolled out.
   */
  #withoutSuperseded(unfinished: StoredRevision[]): StoredRevision[] {
    if (!this.deps.skipsSuperseded || unfinished[0]?.phase === "rolling") return unfinished;
    const newest = unfinished.at(-1);
    for (const revision of unfinished.slice(0, -1))
      void this.#recorder.end(revision.id, () => ({
        status: "SKIPPED",
        message: `Superseded by revision ${newest!.id}.`,
      }));
    return newest ? [newest] : [];
  }

  /** Returns the state of the deployment's agent. */
  agent(deploymentId: string): AgentState {
    return this.#agents.state(deploymentId);
  }

  /** Returns the running rollout, with a promise that resolves when it ends. */
  underWay(deploymentId: string): { revisionId: string; done: Promise<void> } | undefined {
    return this.#rollouts.get(deploymentId);
  }

  /**
   * Sets the status of a revision manually. The new status may end the rollout of the revision. Resolves with false if
   * the change is invalid.
   */
  async force(revision: StoredRevision, status: string, message: string | null): Promise<boolean> {
    if (transition(revision.status, status, "steered") === undefined) return false;
    if (!ended(status)) {
      this.#recorder.mark(revision, status, message);
      return true;
    }
    this.#recorder.endNow(revision, { status, message });
    const rollout = this.#rollouts.get(revision.deploymentId);
    if (rollout?.revisionId !== revision.id) {
      this.wake(revision.deploymentId);
      return true;
    }
    rollout.abort.abort(new Error("The rollout was stopped manually."));
    await rollout.done;
    return true;
  }

  /** Stops the rollout and the agent of the deployment. */
  async stop(deploymentId: string): Promise<void> {
    const rollout = this.#rollouts.get(deploymentId);
    rollout?.abort.abort(new Error("The deployment is being deleted."));
    this.deps.released(deploymentId);
    await Promise.all([rollout?.done, this.#agents.stop(deploymentId)]);
    await this.#endProcessesOf([deploymentId]);
  }

  /** Stops all processes. The next `resume` continues unfinished work. */
  async close(): Promise<void> {
    this.#closing = true;
    const rollouts = [...this.#rollouts.values()];
    for (const rollout of rollouts) rollout.abort.abort(new Error("The control plane is shutting down."));
    await Promise.all([...rollouts.map((rollout) => rollout.done), this.#agents.stopAll()]);
    await this.#background.over();
  }

  #start(revision: StoredRevision): void {
    const { deploymentId } = revision;
    const abort = new AbortController();
    const rollout: Rollout = { revisionId: revision.id, abort, done: Promise.resolve() };
    this.#rollouts.set(deploymentId, rollout);
    this.#recorder.begin(revision.id);
    rollout.done = this.#run(revision, abort.signal)
      .catch((error: unknown) => this.deps.reportError(error))
      .then(() => {
        this.#rollouts.delete(deploymentId);
        if (this.deps.store.deployments.find(deploymentId)?.goneAt === null) this.wake(deploymentId);
      })
      .catch((error: unknown) => this.deps.reportError(error));
  }

  async #run(revision: StoredRevision, signal: AbortSignal): Promise<void> {
    const { folders, runner } = this.deps;
    const job = this.#recorder.job(revision);
    const report = this.#recorder.report(revision.id);
    let agent: RunningAgent | undefined;
    try {
      folders?.prepare(job.deploymentId, job.revisionId);
      agent = await runner.roll(job, report, signal);
    } catch (error) {
      if (!signal.aborted) await this.#fail(job, error, signal);
      return;
    }
    const ended = await this.#recorder
      .end(revision.id, () => ({ status: "DEPLOYED", message: null }), signal)
      .catch(async (error: unknown) => {
        await agent?.stop();
        throw error;
      });
    if (!ended) return agent?.stop();
    await this.#agents.replace(job, report, agent);
    // The next rollout does not wait for the removal of the folders of other revisions.
    this.#background.add(folders?.keepRevisions(job.deploymentId, [job.revisionId]));
  }

  /** Records the failure of a rollout, and removes its files, because they may have filled the disk. */
  async #fail({ deploymentId, revisionId }: RolloutJob, error: unknown, signal: AbortSignal): Promise<void> {
    const { folders, reportError } = this.deps;
    const cleared = folders
      ?.removeRevision(deploymentId, revisionId)
      .catch((fault: unknown) => reportError(fault));
    await this.#recorder.end(revisionId, this.#verdictOn(error), signal);
    await cleared;
  }

  /** Returns a function that determines the result of a rollout that did not succeed. */
  #verdictOn(error: unknown): (revision: StoredRevision) => Verdict {
    if (error instanceof RolloutFailure) return () => ({ status: error.status, message: error.message });
    this.deps.reportError(error);
    const reason = error instanceof Error ? error.message : String(error);
    return ({ status }) => ({
      status: ["AWAITING_DEPLOY", "DEPLOYING"].includes(status) ? "DEPLOY_FAILED" : "BUILD_FAILED",
      message: `The rollout failed unexpectedly: ${reason}`,
    });
  }
}
