import type { ControlPlane, DialectName, VirtualClock } from "../../../emulator/index";
import type { Recorder } from "./recorder";

/** What a walk goes through. */
export interface Ground {
  plane: ControlPlane;
  clock: VirtualClock;
  dialect: DialectName;
  recorder: Recorder;
}

/** The ID of nothing at all. */
export const unknownId = "00000000-0000-4000-8000-000000000000";

/** Until all rollouts are over. */
export const settled = ({ clock }: Ground): Promise<void> => clock.advance(3_600_000);
