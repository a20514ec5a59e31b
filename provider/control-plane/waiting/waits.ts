import type { Clock } from "../../clock";
import { KnownRollouts } from "./known-rollouts";
import { Watcher, type ListPages } from "./watcher";

/** What the waits of a process at one workspace have in common. */
export class Waits {
  readonly watcher: Watcher;
  readonly known = new KnownRollouts();

  /**
   * @param isLocal whether the control plane is on this machine
   * @param clockDifferenceMs how far its clock is ahead of ours; nothing while that is not known
   */
  constructor(
    clock: Clock,
    pages: ListPages,
    readonly isLocal: boolean,
    readonly clockDifferenceMs: () => number | undefined,
  ) {
    this.watcher = new Watcher(clock, pages);
  }
}
