import type { Clock } from "../../provider/clock";
import { type Before, Plane, type Rollout, type Waited } from "./plane";

/** The mean of many waits. */
export interface Mean {
  looks: number;
  lagS: number;
}

/** Time of a simulation with one thing that waits: a sleep is over at once. */
class JumpingClock implements Clock {
  private passed = 0;
  now = () => this.passed;
  sleep = async (ms: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    this.passed = Math.ceil(this.passed + ms);
    await Promise.resolve();
  };
}

/** The provider's own waiting. @param isLocal whether the control plane is on the same machine */
export function ours(rollout: Rollout, before: Before, isLocal = false): Promise<Waited> {
  return new Plane(new JumpingClock(), before, isLocal).follow("d", rollout);
}

/** Schedules of others: the pause after so many looks, in milliseconds, the first look after one pause. */
export const peers: Record<string, (looks: number) => number> = {
  "reference client, 60 s": () => 60_000,
  "CI script, 15 s": () => 15_000,
  "Terraform provider, 5 s": () => 5_000,
  "command line, 3 s": () => 3_000,
  "exponential, 1 s to 30 s": (looks) => Math.min(30_000, 1_000 * 2 ** looks),
};

/** What a schedule that knows nothing comes to. */
export function looksOf(pause: (looks: number) => number, { ms }: Rollout): Waited {
  for (let [requests, now] = [0, 0]; ;) {
    now += pause(requests);
    requests += 1;
    if (now >= ms) return { requests, lagMs: now - ms };
  }
}

export function meanOf(all: readonly Waited[]): Mean {
  const sum = (of: (one: Waited) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    looks: sum(({ requests }) => requests) / all.length,
    lagS: sum(({ lagMs }) => lagMs) / all.length / 1_000,
  };
}
