import type { Clock } from "../../provider/clock";
import { type Before, Plane, type Rollout, type Waited } from "./plane";

/** Mean cost of many waits. */
export interface Mean {
  polls: number;
  lagS: number;
}

/** Clock for a simulation in which only one function waits. All sleeps end immediately. */
class JumpingClock implements Clock {
  private passed = 0;
  now = () => this.passed;
  sleep = async (ms: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    this.passed = Math.ceil(this.passed + ms);
    await Promise.resolve();
  };
}

/**
 * Waits for a rollout in the same way as the provider.
 * @param isLocal true if the control plane is on this machine
 */
export function ours(rollout: Rollout, before: Before, isLocal = false): Promise<Waited> {
  return new Plane(new JumpingClock(), before, isLocal).follow("d", rollout);
}

/**
 * Schedules of other clients, as functions of the number of earlier polls. Each returns the pause before the next poll,
 * in milliseconds.
 */
export const peers: Record<string, (polls: number) => number> = {
  "reference client, 60 s": () => 60_000,
  "CI script, 15 s": () => 15_000,
  "Terraform provider, 5 s": () => 5_000,
  "command line, 3 s": () => 3_000,
  "exponential, 1 s to 30 s": (polls) => Math.min(30_000, 1_000 * 2 ** polls),
};

/** Returns the cost of a schedule that does not use earlier rollouts. */
export function simulate(pause: (polls: number) => number, { ms }: Rollout): Waited {
  for (let [requests, now] = [0, 0]; ;) {
    now += pause(requests);
    requests += 1;
    if (now >= ms) return { requests, lagMs: now - ms };
  }
}

export function meanOf(all: readonly Waited[]): Mean {
  const sum = (of: (one: Waited) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    polls: sum(({ requests }) => requests) / all.length,
    lagS: sum(({ lagMs }) => lagMs) / all.length / 1_000,
  };
}
