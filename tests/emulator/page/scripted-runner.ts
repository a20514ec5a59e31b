import type { RolloutJob, RolloutReport, RolloutRunner } from "../../../emulator/index";
import { RolloutFailure } from "../../../emulator/index";

/** A rollout that the test controls. */
export interface ScriptedRollout extends RolloutReport {
  job: RolloutJob;
  deploy(): void;
  fail(status: "BUILD_FAILED" | "DEPLOY_FAILED", reason: string): void;
}

/** Runner for simulated rollouts, each of which the test controls. */
export class ScriptedRunner implements RolloutRunner {
  readonly #started: ScriptedRollout[] = [];
  readonly #waiting: ((rollout: ScriptedRollout) => void)[] = [];

  /** Resolves with the next rollout that starts. */
  next(): Promise<ScriptedRollout> {
    const started = this.#started.shift();
    return started ? Promise.resolve(started) : new Promise((resolve) => this.#waiting.push(resolve));
  }

  roll(job: RolloutJob, report: RolloutReport, signal: AbortSignal): Promise<undefined> {
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      const rollout: ScriptedRollout = {
        job,
        status: (status) => report.status(status),
        log: (type, level, message) => report.log(type, level, message),
        resolvedCommit: (sha) => report.resolvedCommit(sha),
        runtime: (name) => report.runtime?.(name),
        deploy: () => resolve(undefined),
        fail: (status, reason) => reject(new RolloutFailure(status, reason)),
      };
      const taker = this.#waiting.shift();
      if (taker) taker(rollout);
      else this.#started.push(rollout);
    });
  }

  restart(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}
