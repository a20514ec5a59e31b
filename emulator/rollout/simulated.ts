import { type RevisionStatus, isCommit } from "../../wire";
import type { Clock } from "../clock";
import {
  type LogLevel,
  type LogType,
  RolloutFailure,
  type RolloutJob,
  type RolloutReport,
  type RolloutRunner,
} from "./rollout";
import { createHash } from "node:crypto";

/** Condition for moving a simulated rollout from one status to the next. */
export type Pace =
  | "at once"
  | "step by step"
  /** A fixed duration for each status. */
  | { secondsPerStatus: number }
  /** A fixed duration for the whole rollout. */
  | { afterSeconds: number }
  /** A number of times that the revision is read before the rollout is complete. */
  | { afterReads: number };

/** Statuses, duration, and logs of a simulated rollout. */
export interface Simulation {
  /** Statuses after `CREATING`. If the last one is not a final status, the rollout stays there. */
  statuses: readonly string[];
  pace: Pace;
  /** Reason for the failure of the rollout. */
  reason?: string | undefined;
  logs?: readonly { type: LogType; level: LogLevel; message: string }[] | undefined;
}

/** Lines that are logged for a status if the simulation does not specify any. */
const usualLines: Partial<Record<string, { type: LogType; message: string }>> = {
  BUILDING: { type: "build", message: "Simulated: the image is being built." },
  AWAITING_DEPLOY: { type: "build", message: "Simulated: the image has been built." },
  DEPLOYING: { type: "deploy", message: "Simulated: the agent server is starting." },
  DEPLOYED: { type: "deploy", message: "Simulated: the agent server is ready." },
};

/** A request to move to the next status, or to a specific one. */
export interface Step {
  status?: string | undefined;
  /** Called with the new status. */
  done(status: string): void;
}

/** Control of simulated rollouts. The results of its methods may change while rollouts are running. */
export interface SimulationControl {
  /** Returns the simulation of a rollout. Returns the same object until the simulation changes. */
  simulation(job: RolloutJob): Simulation;
  reads(revisionId: string): number;
  /** Removes and returns the oldest pending step. */
  step(revisionId: string): Step | undefined;
  /**
   * Calls `listener` whenever one of the other methods may return a different result. Returns a function that removes
   * the listener.
   */
  watch(revisionId: string, listener: () => void): () => void;
}

/** Extent to which rollouts are simulated. */
interface SimulationScope {
  /** True if a branch or tag is resolved to a commit. */
  resolvesRefs: boolean;
}

/** Runner for simulated rollouts, which have statuses but no agents. */
export class SimulatedRunner implements RolloutRunner {
  constructor(
    private readonly clock: Clock,
    private readonly control: SimulationControl,
    private readonly scope: SimulationScope,
  ) {}

  async roll(job: RolloutJob, report: RolloutReport, signal: AbortSignal): Promise<undefined> {
    const commit = this.scope.resolvesRefs ? fakeCommit(job) : undefined;
    const built = (): void => void (commit && report.resolvedCommit(commit));
    await new SimulatedRollout(this.clock, this.control, job, report, built).run(signal);
    return undefined;
  }

  restart(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

class SimulatedRollout {
  readonly #startedAt: number;
  readonly #readsBefore: number;
  #movedAt: number;
  #simulation: Simulation;
  #last = "CREATING";
  /** Index of the next status in the simulation. */
  #place = 0;

  constructor(
    private readonly clock: Clock,
    private readonly control: SimulationControl,
    private readonly job: RolloutJob,
    private readonly report: RolloutReport,
    private readonly built: () => void,
  ) {
    this.#startedAt = this.#movedAt = clock.now();
    this.#readsBefore = control.reads(job.revisionId);
    this.#simulation = control.simulation(job);
    for (const line of this.#simulation.logs ?? []) report.log(line.type, line.level, line.message);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#steer();
      const step = this.control.step(this.job.revisionId);
      const next = step?.status ?? this.#simulation.statuses[this.#place];
      if (next === undefined || (!step && this.clock.now() < this.#moment())) {
        step?.done(this.#last);
        await this.#change(next === undefined ? Number.POSITIVE_INFINITY : this.#moment(), signal);
        continue;
      }
      const outOfTurn = step?.status !== undefined;
      this.#take(next, outOfTurn);
      if (next === "AWAITING_DEPLOY") this.built();
      step?.done(next);
      if (next === "DEPLOYED") return;
      if (this.#isLast(next, outOfTurn)) throw this.#verdict(next);
      this.report.status(next as RevisionStatus);
    }
  }

  /** Continues from the current status after the simulation was changed. */
  #steer(): void {
    const simulation = this.control.simulation(this.job);
    if (simulation === this.#simulation) return;
    this.#simulation = simulation;
    this.#place = simulation.statuses.lastIndexOf(this.#last) + 1;
  }

  #take(status: string, outOfTurn: boolean): void {
    this.#last = status;
    const usual = this.#simulation.logs ? undefined : usualLines[status];
    if (usual) this.report.log(usual.type, "INFO", usual.message);
    this.#movedAt = this.clock.now();
    this.#place = outOfTurn ? this.#simulation.statuses.lastIndexOf(status) + 1 : this.#place + 1;
  }

  /**
   * True if a status ends the rollout. A failure always does; `SKIPPED` and `INTERRUPTED` do if no other status
   * follows.
   */
  #isLast(status: string, outOfTurn: boolean): boolean {
    if (status.includes("FAILED")) return true;
    const follows = !outOfTurn && this.#place < this.#simulation.statuses.length;
    return (status === "SKIPPED" || status === "INTERRUPTED") && !follows;
  }

  #verdict(status: string): RolloutFailure {
    const reason =
      this.#simulation.reason ??
      (status.includes("FAILED") ? `The simulated rollout ended with status ${status}.` : "");
    if (reason) this.report.log(status === "BUILD_FAILED" ? "build" : "deploy", "ERROR", reason);
    // A simulation may end with a status that no real rollout has.
    return new RolloutFailure(status as RolloutFailure["status"], reason);
  }

  /** Returns the time when the next status is due. */
  #moment(): number {
    const { pace, statuses } = this.#simulation;
    const share = (this.#place + 1) / statuses.length;
    if (pace === "at once") return 0;
    if (pace === "step by step") return Number.POSITIVE_INFINITY;
    if ("secondsPerStatus" in pace) return this.#movedAt + pace.secondsPerStatus * 1000;
    if ("afterSeconds" in pace) return this.#startedAt + pace.afterSeconds * 1000 * share;
    const reads = this.control.reads(this.job.revisionId) - this.#readsBefore;
    return reads >= Math.ceil(pace.afterReads * share) ? 0 : Number.POSITIVE_INFINITY;
  }

  /** Waits until the given time, or until the simulation may have changed. */
  #change(moment: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const endings: (() => void)[] = [];
      const done = (): void => {
        for (const end of endings) end();
        resolve();
      };
      endings.push(this.control.watch(this.job.revisionId, done));
      signal.addEventListener("abort", done, { once: true });
      endings.push(() => signal.removeEventListener("abort", done));
      if (Number.isFinite(moment)) endings.push(this.clock.after(moment - this.clock.now(), done));
    });
  }
}

/** Returns a fake commit, which is always the same for a given ref of a repository. */
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
