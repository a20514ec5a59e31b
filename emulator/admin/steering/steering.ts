import type { TransitionCause } from "../../control-plane/rollouts/transition";
import type { RolloutJob } from "../../rollout/rollout";
import type { Simulation, SimulationControl, Pace, Step } from "../../rollout/simulated";
import { checkPlan, simulationOf, type SteeringPlan } from "./plan";

interface ActivePlan {
  plan: SteeringPlan;
  /** Revisions that follow this plan. */
  followers: Set<string>;
}

/** Control of simulated rollouts: plans for all rollouts, for a deployment, or for a revision, and single steps. */
export class Steering implements SimulationControl {
  #activePlans: ActivePlan[] = [];
  readonly #simulations = new Map<string, { plan: SteeringPlan; simulation: Simulation }>();
  readonly #reads = new Map<string, number>();
  readonly #steps = new Map<string, Step[]>();
  /** Revisions for which a step specified a status, which may not be part of their simulation. */
  readonly #overridden = new Set<string>();
  readonly #watchers = new Map<string, Set<() => void>>();

  constructor(private readonly ordinaryPace: Pace) {}

  /**
   * Accepts a plan. A plan without `times` replaces earlier plans for the same target, and also applies to rollouts in
   * progress. Rollouts that start later use the plans with `times` first, in order.
   */
  steer(plan: SteeringPlan): void {
    checkPlan(plan);
    const kept =
      plan.times === undefined
        ? this.#activePlans.filter((one) => !sameTarget(one.plan, plan))
        : this.#activePlans;
    this.#activePlans = [...kept, { plan, followers: new Set<string>() }].sort(limitedFirst);
    for (const revisionId of [...this.#watchers.keys()]) this.#notify(revisionId);
  }

  /** Moves a revision to its next status, or to `status`. Resolves with the new status. */
  stepTo(revisionId: string, status?: string): Promise<string> {
    if (status !== undefined) this.#overridden.add(revisionId);
    return new Promise((resolve) => {
      const steps = this.#steps.get(revisionId) ?? [];
      this.#steps.set(revisionId, [...steps, { status, done: resolve }]);
      this.#notify(revisionId);
    });
  }

  /** Records that the revision was read. */
  noteRead(revisionId: string): void {
    this.#reads.set(revisionId, this.reads(revisionId) + 1);
    this.#notify(revisionId);
  }

  /** Returns `steered` if a plan or a step allows a rollout to deviate from the ordinary sequence of statuses. */
  transitionCause(job: RolloutJob): TransitionCause {
    const steered =
      this.#overridden.has(job.revisionId) || this.#simulations.get(job.revisionId)?.plan.statuses;
    return steered ? "steered" : "ordinary";
  }

  simulation(job: RolloutJob): Simulation {
    const active = this.#activePlanFor(job);
    active?.followers.add(job.revisionId);
    const plan = active?.plan ?? ordinary;
    const known = this.#simulations.get(job.revisionId);
    if (known?.plan === plan) return known.simulation;
    const simulation = simulationOf(plan, job, this.ordinaryPace);
    this.#simulations.set(job.revisionId, { plan, simulation });
    return simulation;
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

  /** Removes all plans and pending steps, and resets all counts. */
  reset(): void {
    this.#activePlans = [];
    for (const kept of [this.#simulations, this.#reads, this.#steps, this.#overridden]) kept.clear();
  }

  #activePlanFor(job: RolloutJob): ActivePlan | undefined {
    const started = this.#simulations.has(job.revisionId);
    const open = this.#activePlans.filter(
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

function limitedFirst(one: ActivePlan, other: ActivePlan): number {
  return Number(one.plan.times === undefined) - Number(other.plan.times === undefined);
}

function sameTarget(one: SteeringPlan, other: SteeringPlan): boolean {
  return one.deployment === other.deployment && one.revisionId === other.revisionId;
}
