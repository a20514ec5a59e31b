import type { Clock } from "../../clock";
import {
  RolloutFailure,
  type RolloutJob,
  type RolloutReport,
  type RolloutRunner,
  type RunningAgent,
} from "../../rollout/rollout";
import type { Folders } from "../folders";
import type { Store } from "../store/store";
import type { StoredRevision } from "../store/revisions";
import { Agents, type AgentState } from "./agents";
import { ended, type Mover, transition } from "./transition";

/** What a supervisor works with. */
export interface Supervised {
  store: Store;
  clock: Clock;
  runner: RolloutRunner;
  /** Whether rollouts use folders at all. */
  folders: Folders | undefined;
  /** How a revision's status may move now. */
  mover(job: RolloutJob): Mover;
  /** Told about faults of the control plane itself. */
  complain(error: unknown): void;
}

interface Rollout {
  revisionId: string;
  abort: AbortController;
  done: Promise<void>;
}

/** Runs rollouts: one at a time a deployment, the later ones queued, the agent that serves pinned until a success. */
export class Supervisor {
  readonly #agents: Agents;
  readonly #rollouts = new Map<string, Rollout>();
  #closing = false;

  constructor(private readonly with_: Supervised) {
    this.#agents = new Agents(with_.runner, with_.clock);
  }

  /** Takes up what an earlier process left: agents that served serve again, rollouts under way start again. */
  resume(): void {
    for (const deployment of this.with_.store.deployments.all()) {
      if (deployment.goneAt !== null) continue;
      const active =
        deployment.activeRevisionId && this.with_.store.revisions.find(deployment.activeRevisionId);
      if (active) this.#agents.revive(this.#job(active), this.#report(active.id));
      this.wake(deployment.id);
    }
  }

  /** Starts the deployment's oldest waiting revision, if none is under way; the others queue. */
  wake(deploymentId: string): void {
    if (this.#closing) return;
    const [next, ...later] = this.with_.store.revisions.unfinished(deploymentId);
    if (!next) return;
    const current = this.#rollouts.get(deploymentId);
    if (!current) this.#start(next);
    for (const revision of current ? [next, ...later] : later)
      if (revision.phase === "waiting" && revision.status === "CREATING") this.#move(revision.id, "QUEUED");
  }

  /** Where the deployment's agent stands. */
  agent(deploymentId: string): AgentState {
    return this.#agents.state(deploymentId);
  }

  /** The rollout under way, to wait for its end. */
  underWay(deploymentId: string): { revisionId: string; done: Promise<void> } | undefined {
    return this.#rollouts.get(deploymentId);
  }

  /** Gives a revision a status from outside; a verdict ends its rollout. */
  async force(revisionId: string, status: string, message?: string): Promise<boolean> {
    const revision = this.with_.store.revisions.find(revisionId);
    if (!revision || transition(revision.status, status, "steered") === undefined) return false;
    if (!ended(status)) {
      this.with_.store.revisions.update({
        ...revision,
        status,
        statusMessage: message ?? revision.statusMessage,
      });
      return true;
    }
    this.#end(revision, status, message ?? null);
    const rollout = this.#rollouts.get(revision.deploymentId);
    if (rollout?.revisionId === revisionId) {
      rollout.abort.abort(new Error("The rollout was ended by hand."));
      await rollout.done;
    } else this.wake(revision.deploymentId);
    return true;
  }

  /** Ends the deployment's rollout and its agent. */
  async stop(deploymentId: string): Promise<void> {
    const rollout = this.#rollouts.get(deploymentId);
    rollout?.abort.abort(new Error("The deployment is being deleted."));
    await Promise.all([rollout?.done, this.#agents.stop(deploymentId)]);
  }

  /** Ends every process; what was under way goes on with the next `resume`. */
  async close(): Promise<void> {
    this.#closing = true;
    const rollouts = [...this.#rollouts.values()];
    for (const rollout of rollouts) rollout.abort.abort(new Error("The control plane is closing."));
    await Promise.all([...rollouts.map((rollout) => rollout.done), this.#agents.stopAll()]);
  }

  #start(revision: StoredRevision): void {
    const abort = new AbortController();
    const rollout: Rollout = { revisionId: revision.id, abort, done: Promise.resolve() };
    this.#rollouts.set(revision.deploymentId, rollout);
    this.with_.store.revisions.update({ ...revision, phase: "rolling" });
    rollout.done = this.#run(revision, abort.signal)
      .catch((error) => this.with_.complain(error))
      .then(() => {
        this.#rollouts.delete(revision.deploymentId);
        if (!abort.signal.aborted || this.#wanted(revision.deploymentId)) this.wake(revision.deploymentId);
      });
  }

  async #run(revision: StoredRevision, signal: AbortSignal): Promise<void> {
    const job = this.#job(revision);
    const report = this.#report(revision.id);
    let agent: RunningAgent | undefined;
    try {
      this.with_.folders?.prepare(job.deploymentId, job.revisionId);
      agent = await this.with_.runner.roll(job, report, signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(revision.id, error);
      return;
    }
    if (signal.aborted) {
      await agent?.stop();
      return;
    }
    const current = this.with_.store.revisions.find(revision.id);
    if (!current) return;
    this.#end(current, "DEPLOYED", null);
    await this.#agents.replace(job, report, agent);
    await this.with_.folders?.keepRevisions(job.deploymentId, [job.revisionId]);
  }

  #fail(revisionId: string, error: unknown): void {
    const revision = this.with_.store.revisions.find(revisionId);
    if (!revision) return;
    if (error instanceof RolloutFailure) return this.#end(revision, error.status, error.message);
    this.with_.complain(error);
    const status = ["AWAITING_DEPLOY", "DEPLOYING"].includes(revision.status)
      ? "DEPLOY_FAILED"
      : "BUILD_FAILED";
    this.#end(
      revision,
      status,
      `The rollout broke: ${error instanceof Error ? error.message : String(error)}`,
    );
  }

  /** Writes a rollout's end; a success also becomes the active revision. */
  #end(revision: StoredRevision, status: string, message: string | null): void {
    const { store } = this.with_;
    store.logs.flush();
    store.transaction(() => {
      store.revisions.update({ ...revision, status, statusMessage: message, phase: "ended" });
      const deployment = store.deployments.find(revision.deploymentId);
      if (deployment && status === "DEPLOYED")
        store.deployments.update({ ...deployment, activeRevisionId: revision.id });
    });
  }

  #move(revisionId: string, to: string): void {
    const revision = this.with_.store.revisions.find(revisionId);
    if (!revision || revision.phase === "ended") return;
    const status = transition(revision.status, to, this.with_.mover(this.#job(revision)));
    if (status !== undefined && status !== revision.status)
      this.with_.store.revisions.update({ ...revision, status });
  }

  #report(revisionId: string): RolloutReport {
    const { store } = this.with_;
    return {
      status: (status) => this.#move(revisionId, status),
      log: (type, level, message) => store.logs.append(revisionId, type, level, message),
      resolvedCommit: (sha) => {
        const revision = store.revisions.find(revisionId);
        if (revision) store.revisions.update({ ...revision, resolvedCommit: sha });
      },
    };
  }

  #job(revision: StoredRevision): RolloutJob {
    const { store, folders } = this.with_;
    const deployment = store.deployments.find(revision.deploymentId)!;
    return {
      deploymentId: deployment.id,
      revisionId: revision.id,
      deploymentName: deployment.name,
      source: deployment.source,
      sourceConfig: revision.sourceConfig,
      sourceRevisionConfig: revision.sourceRevisionConfig,
      secrets: revision.secrets,
      ...(revision.resolvedCommit === null ? {} : { resolvedCommit: revision.resolvedCommit }),
      dataFolder: folders?.data(deployment.id) ?? "",
      revisionFolder: folders?.revision(deployment.id, revision.id) ?? "",
    };
  }

  #wanted(deploymentId: string): boolean {
    return this.with_.store.deployments.find(deploymentId)?.goneAt === null;
  }
}
