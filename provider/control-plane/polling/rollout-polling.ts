import type { Clock } from "../../clock";
import type { ControlPlaneClient } from "../client";
import { KnownRollouts } from "./known-rollouts";
import { PollScheduler } from "./poll-scheduler";

/** What the waits of a process at one workspace have in common. */
export class RolloutPolling {
  readonly scheduler: PollScheduler;
  readonly known = new KnownRollouts();

  /**
   * @param askingOnce returns a client for optional requests, each of which is sent once
   * @param isLocal true if the control plane is on this machine
   * @param clockDifferenceMs how far its clock is ahead of ours; `undefined` while that is not known
   */
  constructor(
    clock: Clock,
    readonly askingOnce: () => ControlPlaneClient,
    readonly isLocal: boolean,
    readonly clockDifferenceMs: () => number | undefined,
  ) {
    this.scheduler = new PollScheduler(clock, (signal) => askingOnce().deployments.pages(signal), isLocal);
  }
}
