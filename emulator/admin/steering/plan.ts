import { Refusal } from "../../control-plane/refusal";
import { settled } from "../../control-plane/rollouts/transition";
import type { LogLevel, LogType, RolloutJob } from "../../rollout/rollout";
import type { Simulation, Pace } from "../../rollout/simulated";

/**
 * Statuses and duration of simulated rollouts, and the rollouts to which it applies. Without `deployment` and
 * `revisionId` it is the default.
 */
export interface SteeringPlan {
  /** Name or id of a deployment. */
  deployment?: string;
  revisionId?: string;
  /** @default one second per status */
  pace?: Pace;
  /** `DEPLOYED`, any word that contains FAILED, or `never` (it stays at DEPLOYING). @default "DEPLOYED" */
  verdict?: string;
  /** Exact statuses after CREATING, including unknown ones; replaces `verdict`. */
  statuses?: string[];
  /** Reason of a failure, reported as `status_message`. */
  reason?: string;
  logs?: { type?: LogType; level?: LogLevel; message: string }[];
  /** Number of future rollouts to which it applies. @default all */
  times?: number;
}

/** Returns the simulation of a rollout under a plan. */
export function simulationOf(plan: SteeringPlan, job: RolloutJob, ordinaryPace: Pace): Simulation {
  return {
    statuses: plan.statuses ?? ordinaryStatuses(job.source, plan.verdict ?? "DEPLOYED"),
    pace: plan.pace ?? ordinaryPace,
    reason: plan.reason,
    logs: plan.logs?.map((line) => ({
      type: line.type ?? "build",
      level: line.level ?? "INFO",
      message: line.message,
    })),
  };
}

/** Throws when a plan cannot be followed. */
export function checkPlan(plan: SteeringPlan): void {
  const { statuses, verdict, times } = plan;
  if (statuses && verdict !== undefined)
    throw new Refusal(400, "Steer either by `statuses` or by `verdict`, not by both.");
  if (statuses?.length === 0) throw new Refusal(400, "`statuses` is empty: specify at least one.");
  const early = statuses?.slice(0, -1).find(settled);
  if (early) throw new Refusal(400, `Nothing follows ${early}: it can only be the last of \`statuses\`.`);
  if (verdict !== undefined && verdict !== "never" && !settled(verdict))
    throw new Refusal(
      400,
      `'${verdict}' is not a verdict: use DEPLOYED, a word that contains FAILED, or never.`,
    );
  if (times !== undefined && !(times >= 1)) throw new Refusal(400, "`times` must be 1 or more.");
}

function ordinaryStatuses(source: string, verdict: string): string[] {
  const build = source === "external_docker" ? [] : ["AWAITING_BUILD", "BUILDING"];
  if (verdict === "CREATE_FAILED") return [verdict];
  if (verdict === "BUILD_FAILED") return [...build, verdict];
  const all = [...build, "AWAITING_DEPLOY", "DEPLOYING"];
  return verdict === "never" ? all : [...all, verdict];
}
