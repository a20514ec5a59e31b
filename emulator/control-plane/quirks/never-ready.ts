import type { RolloutJob, RolloutReport, RolloutRunner, RunningAgent } from "../../rollout/rollout";
import { longestReadyName, type Quirks } from "./quirks";

/**
 * Runner that never completes rollouts of deployments with names longer than `longestReadyName` if the
 * `longNamesNeverReady` quirk is enabled. Delegates all other rollouts to another runner.
 */
export class NeverReadyRunner implements RolloutRunner {
  constructor(
    private readonly ordinary: RolloutRunner,
    private readonly quirks: Quirks,
  ) {}

  async roll(job: RolloutJob, report: RolloutReport, signal: AbortSignal): Promise<RunningAgent | undefined> {
    if (!this.quirks.longNamesNeverReady || job.deploymentName.length <= longestReadyName)
      return this.ordinary.roll(job, report, signal);
    report.status("AWAITING_DEPLOY");
    report.status("DEPLOYING");
    report.log("deploy", "WARNING", `The autoscaler of ${job.deploymentName} is not ready.`);
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    return undefined;
  }

  restart(job: RolloutJob, report: RolloutReport, signal: AbortSignal): Promise<RunningAgent | undefined> {
    return this.ordinary.restart(job, report, signal);
  }
}
