import type { Mover } from "../../control-plane/rollouts/transition";
import type { RolloutJob } from "../../rollout/rollout";
import type { Course, Helm, Pace, Step } from "../../rollout/simulated";
import { checkPlan, courseOf, type SteeringPlan } from "./plan";

interface Standing {
  plan: SteeringPlan;
  /** Revisions that follow this plan. */
  followers: Set<string>;
}

/** Control of simulated rollouts: plans for all rollouts, for a deployment or for a revision, and single steps. */
export class Steering implements Helm {
  #standings: Standing[] = [];
  readonly #courses = new Map<string, { plan: SteeringPlan; course: Course }>();
  readonly #reads = new Map<string, number>();
  readonly #steps = new Map<string, Step[]>();
  /** Revisions that a step has moved to a status outside their course. */
  readonly #offCourse = new Set<string>();
  readonly #watchers = new Map<string, Set<() => void>>();

  constructor(private readonly ordinaryPace: Pace) {}

  /**
   * Accepts a plan. A plan without `times` replaces the earlier plans for the same target, and also applies to rollouts
   * in progress. Rollouts that start later use the plans with `times` first, in order.
   */
  steer(plan: SteeringPlan): void {
    checkPlan(plan);
    const kept =
      plan.times === undefined
        ? this.#standings.filter((one) => !sameTarget(one.plan, plan))
        : this.#standings;
    this.#standings = [...kept, { plan, followers: new Set<string>() }].sort(limitedFirst);
    for (const revisionId of [...this.#watchers.keys()]) this.#notify(revisionId);
  }

  /** Requests the next status of a revision, or `status`; resolves with the resulting status. */
  stepTo(revisionId: string, status?: string): Promise<string> {
    if (status !== undefined) this.#offCourse.add(revisionId);
    return new Promise((resolve) => {
      const steps = this.#steps.get(revisionId) ?? [];
      this.#steps.set(revisionId, [...steps, { status, taken: resolve }]);
      this.#notify(revisionId);
    });
  }

  /** Counts a read of the revision. */
  noteRead(revisionId: string): void {
    this.#reads.set(revisionId, this.reads(revisionId) + 1);
    this.#notify(revisionId);
  }

  /** Returns whether a rollout may leave the ordinary course. */
  mover(job: RolloutJob): Mover {
    const steered = this.#offCourse.has(job.revisionId) || this.#courses.get(job.revisionId)?.plan.statuses;
    return steered ? "steered" : "ordinary";
  }

  course(job: RolloutJob): Course {
    const standing = this.#standingFor(job);
    standing?.followers.add(job.revisionId);
    const plan = standing?.plan ?? ordinary;
    const known = this.#courses.get(job.revisionId);
    if (known?.plan === plan) return known.course;
    const course = courseOf(plan, job, this.ordinaryPace);
    this.#courses.set(job.revisionId, { plan, course });
    return course;
  }

  reads(revisionId: string): number {
    return this.#reads.get(revisionId) ?? 0;
  }

  step(revisionId: string): Step | undefined {
    return this.#steps.get(revisionId)?.shift();
  }

  watch(revisionId: string, listener: () => void): () => void {
    const listeners = this.#watchers.get(revisionId) ?? new Set();
    this.#watchers.set(revisionId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#watchers.delete(revisionId);
    };
  }

  /** Clears all plans, steps and counts. */
  reset(): void {
    this.#standings = [];
    for (const kept of [this.#courses, this.#reads, this.#steps, this.#offCourse]) kept.clear();
  }

  #standingFor(job: RolloutJob): Standing | undefined {
    const started = this.#courses.has(job.revisionId);
    const open = this.#standings.filter(
      ({ plan, followers }) =>
        plan.times === undefined ||
        followers.has(job.revisionId) ||
        (!started && followers.size < plan.times),
    );
    return (
      open.find(({ plan }) => plan.revisionId === job.revisionId) ??
      open.find(
        ({ plan }) =>
          !plan.revisionId && [job.deploymentId, job.deploymentName].includes(plan.deployment ?? ""),
      ) ??
      open.find(({ plan }) => !plan.revisionId && !plan.deployment)
    );
  }

  #notify(revisionId: string): void {
    for (const listener of [...(this.#watchers.get(revisionId) ?? [])]) listener();
  }
}

const ordinary: SteeringPlan = {};

function limitedFirst(one: Standing, other: Standing): number {
  return Number(one.plan.times === undefined) - Number(other.plan.times === undefined);
}

function sameTarget(one: SteeringPlan, other: SteeringPlan): boolean {
  return one.deployment === other.deployment && one.revisionId === other.revisionId;
}
