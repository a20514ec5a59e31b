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

/** Condition on which a simulated rollout moves from one status to the next. */
export type Pace =
  | "at once"
  | "step by step"
  /** This duration for each status. */
  | { secondsPerStatus: number }
  /** This duration for the whole rollout. */
  | { afterSeconds: number }
  /** Completed after this number of reads of the revision. */
  | { afterReads: number };

/** Course of a simulated rollout. */
export interface Course {
  /** Statuses after CREATING; if the last one is not a verdict, the rollout stays there. */
  statuses: readonly string[];
  pace: Pace;
  /** Reason of a failure. */
  reason?: string | undefined;
  logs?: readonly { type: LogType; level: LogLevel; message: string }[] | undefined;
}

/** Lines that are logged at a status for which the course specifies none. */
const usualLines: Partial<Record<string, { type: LogType; message: string }>> = {
  BUILDING: { type: "build", message: "Simulated: the image is being built." },
  AWAITING_DEPLOY: { type: "build", message: "Simulated: the image is built." },
  DEPLOYING: { type: "deploy", message: "Simulated: the agent server is starting." },
  DEPLOYED: { type: "deploy", message: "Simulated: the agent server is ready." },
};

/** A request for the next status, or for a specific one. */
export interface Step {
  status?: string | undefined;
  /** Called with the resulting status. */
  taken(status: string): void;
}

/** Control of simulated rollouts; its decisions may change while they are running. */
export interface Helm {
  /** Returns the course of a rollout; the same object until it changes. */
  course(job: RolloutJob): Course;
  reads(revisionId: string): number;
  /** Returns the oldest pending step and removes it. */
  step(revisionId: string): Step | undefined;
  /** Calls `listener` when any of the above may have changed; the returned function stops that. */
  watch(revisionId: string, listener: () => void): () => void;
}

/** Extent of the simulation. */
interface Pretense {
  /** True if a branch or tag is resolved to a commit. */
  resolvesRefs: boolean;
}

/** Runner of simulated rollouts, which only have statuses. */
export class SimulatedRunner implements RolloutRunner {
  constructor(
    private readonly clock: Clock,
    private readonly helm: Helm,
    private readonly pretense: Pretense,
  ) {}

  async roll(job: RolloutJob, report: RolloutReport, signal: AbortSignal): Promise<undefined> {
    const commit = this.pretense.resolvesRefs ? fakeCommit(job) : undefined;
    const built = (): void => void (commit && report.resolvedCommit(commit));
    await new SimulatedRollout(this.clock, this.helm, job, report, built).run(signal);
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
  #course: Course;
  #last = "CREATING";
  /** Index of the next status in the course. */
  #place = 0;

  constructor(
    private readonly clock: Clock,
    private readonly helm: Helm,
    private readonly job: RolloutJob,
    private readonly report: RolloutReport,
    private readonly built: () => void,
  ) {
    this.#startedAt = this.#movedAt = clock.now();
    this.#readsBefore = helm.reads(job.revisionId);
    this.#course = helm.course(job);
    for (const line of this.#course.logs ?? []) report.log(line.type, line.level, line.message);
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#steer();
      const step = this.helm.step(this.job.revisionId);
      const next = step?.status ?? this.#course.statuses[this.#place];
      if (next === undefined || (!step && this.clock.now() < this.#moment())) {
        step?.taken(this.#last);
        await this.#change(next === undefined ? Number.POSITIVE_INFINITY : this.#moment(), signal);
        continue;
      }
      const outOfTurn = step?.status !== undefined;
      this.#take(next, outOfTurn);
      if (next === "AWAITING_DEPLOY") this.built();
      step?.taken(next);
      if (next === "DEPLOYED") return;
      if (this.#isLast(next, outOfTurn)) throw this.#verdict(next);
      this.report.status(next as RevisionStatus);
    }
  }

  /** Continues from the same status after steering. */
  #steer(): void {
    const course = this.helm.course(this.job);
    if (course === this.#course) return;
    this.#course = course;
    this.#place = course.statuses.lastIndexOf(this.#last) + 1;
  }

  #take(status: string, outOfTurn: boolean): void {
    this.#last = status;
    const usual = this.#course.logs ? undefined : usualLines[status];
    if (usual) this.report.log(usual.type, "INFO", usual.message);
    this.#movedAt = this.clock.now();
    this.#place = outOfTurn ? this.#course.statuses.lastIndexOf(status) + 1 : this.#place + 1;
  }

  /** True if a status ends the rollout: a failure always does, SKIPPED and INTERRUPTED do if no status follows. */
  #isLast(status: string, outOfTurn: boolean): boolean {
    if (status.includes("FAILED")) return true;
    const follows = !outOfTurn && this.#place < this.#course.statuses.length;
    return (status === "SKIPPED" || status === "INTERRUPTED") && !follows;
  }

  #verdict(status: string): RolloutFailure {
    const reason =
      this.#course.reason ?? (status.includes("FAILED") ? `The simulated rollout ended as ${status}.` : "");
    if (reason) this.report.log(status === "BUILD_FAILED" ? "build" : "deploy", "ERROR", reason);
    // A course may end with a status that no real rollout has.
    return new RolloutFailure(status as RolloutFailure["status"], reason);
  }

  /** Returns the time at which the next status is due. */
  #moment(): number {
    const { pace, statuses } = this.#course;
    const share = (this.#place + 1) / statuses.length;
    if (pace === "at once") return 0;
    if (pace === "step by step") return Number.POSITIVE_INFINITY;
    if ("secondsPerStatus" in pace) return this.#movedAt + pace.secondsPerStatus * 1000;
    if ("afterSeconds" in pace) return this.#startedAt + pace.afterSeconds * 1000 * share;
    const reads = this.helm.reads(this.job.revisionId) - this.#readsBefore;
    return reads >= Math.ceil(pace.afterReads * share) ? 0 : Number.POSITIVE_INFINITY;
  }

  /** Waits until that time, or until the course may have changed. */
  #change(moment: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const endings: (() => void)[] = [];
      const done = (): void => {
        for (const end of endings) end();
        resolve();
      };
      endings.push(this.helm.watch(this.job.revisionId, done));
      signal.addEventListener("abort", done, { once: true });
      endings.push(() => signal.removeEventListener("abort", done));
      if (Number.isFinite(moment)) endings.push(this.clock.after(moment - this.clock.now(), done));
    });
  }
}

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
