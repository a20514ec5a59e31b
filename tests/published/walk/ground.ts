import type { ControlPlane, DialectName, VirtualClock } from "../../../emulator/index";
import type { Recorder } from "./recorder";

/** Objects that a walk uses. */
export interface Ground {
  plane: ControlPlane;
  clock: VirtualClock;
  dialect: DialectName;
  recorder: Recorder;
}

/** ID of an object that does not exist. */
export const unknownId = "00000000-0000-4000-8000-000000000000";

/** Waits until all rollouts have finished. */
export const settled = ({ clock }: Ground): Promise<void> => clock.advance(3_600_000);
