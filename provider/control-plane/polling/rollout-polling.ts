import type { Clock } from "../../clock";
import type { ControlPlaneClient } from "../client";
import { KnownRollouts } from "./known-rollouts";
import { PollScheduler } from "./poll-scheduler";

/** State that the waits of a process share for one workspace. */
export class RolloutPolling {
  readonly scheduler: PollScheduler;
  readonly known = new KnownRollouts();

  /**
   * @param clientWithoutRetries returns a client for optional requests, each of which is sent once
   * @param isLocal true if the control plane is on this machine
   * @param clockDifferenceMs difference between its clock and ours, positive if it is ahead; `undefined` while unknown
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
