import type { Clock } from "../clock";
import type * as Real from "../rollout/real";
import type { RolloutRunner } from "../rollout/rollout";
import { SimulatedRunner } from "../rollout/simulated";
import { Steering } from "../admin/steering/steering";
import type { Dialect } from "../control-plane/dialects";
import type { ControlPlaneOptions } from "./options";

/** Runner for rollouts; `steering` is set if they are simulated. */
export interface ChosenRunner {
  runner: RolloutRunner;
  steering: Steering | undefined;
}

/** Returns the runner that the options select. */
export function chooseRunner(
  options: ControlPlaneOptions,
  clock: Clock,
  { resolvesRefs }: Dialect,
): ChosenRunner {
  if (options.runner) return { runner: options.runner, steering: undefined };
  if (options.rollout === "real") return { runner: realRunner(clock), steering: undefined };
  const steering = new Steering({ secondsPerStatus: options.secondsPerStatus ?? 1 });
  return { runner: new SimulatedRunner(clock, steering, { resolvesRefs }), steering };
}

/** Loads the real runner lazily, because simulated rollouts do not need it. */
function realRunner(clock: Clock): RolloutRunner {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { createRealRunner } = require("../rollout/real") as typeof Real;
  return createRealRunner({ clock });
}
