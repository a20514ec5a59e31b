import type { Clock } from "../../clock";
import type { ControlPlaneClient } from "../client";
import { KnownRollouts } from "./known-rollouts";
import { PollScheduler } from "./poll-scheduler";

/** State that is shared by all of a process's waits for rollouts in one workspace. */
export class RolloutPolling {
  readonly scheduler: PollScheduler;
  readonly known = new KnownRollouts();

  /**
   * @param clientWithoutRetries returns a client for optional requests, each of which is sent once
   * @param isLocal true if the control plane is on this machine
   * @param clockDifferenceMs difference between the control plane's clock and the local clock, positive if the control
   * plane's is ahead; `undefined` while unknown
   */
  constructor(
    clock: Clock,
    readonly clientWithoutRetries: () => ControlPlaneClient,
    readonly isLocal: boolean,
    readonly clockDifferenceMs: () => number | undefined,
  ) {
    this.scheduler = new PollScheduler(
      clock,
      (signal) => clientWithoutRetries().deployments.pages(signal),
      isLocal,
    );
  }
}
