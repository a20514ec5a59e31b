import { Refusal } from "../../control-plane/refusal";
import { settled } from "../../control-plane/rollouts/transition";
import type { LogLevel, LogType, RolloutJob } from "../../rollout/rollout";
import type { Simulation, Pace } from "../../rollout/simulated";

/**
 * Statuses and duration of simulated rollouts, and the rollouts that the plan applies to. A plan with neither
 * `deployment` nor `revisionId` is the default plan.
 */
export interface SteeringPlan {
  /** Name or ID of the deployment that the plan applies to. */
  deployment?: string;
  revisionId?: string;
  /**
   * Duration of the statuses.
   * @default one second per status
   */
  pace?: Pace;
  /**
   * `DEPLOYED`, any status that contains `FAILED`, or `never` (the rollout stays at `DEPLOYING`).
   * @default "DEPLOYED"
   */
  verdict?: string;
  /** Exact statuses after `CREATING`. Unknown statuses are allowed. Replaces `verdict`. */
  statuses?: string[];
  /** Reason for a failure, reported as `status_message`. */
  reason?: string;
  logs?: { type?: LogType; level?: LogLevel; message: string }[];
  /** Number of future rollouts that the plan applies to. @default all */
  times?: number;
}

/** Returns the simulation of a rollout according to a plan. */
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

/** Throws if a plan cannot be followed. */
export function checkPlan(plan: SteeringPlan): void {
  const { statuses, verdict, times } = plan;
  if (statuses && verdict !== undefined)
    throw new Refusal(400, "Specify either `statuses` or `verdict`, not both.");
  if (statuses?.length === 0) throw new Refusal(400, "`statuses` is empty: specify at least one.");
  const early = statuses?.slice(0, -1).find(settled);
  if (early) throw new Refusal(400, `No status can follow ${early}, so it must be the last of \`statuses\`.`);
  if (verdict !== undefined && verdict !== "never" && !settled(verdict))
    throw new Refusal(
      400,
      `'${verdict}' is not a verdict: use DEPLOYED, a status that contains FAILED, or never.`,
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
