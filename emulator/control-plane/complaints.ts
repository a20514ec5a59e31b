import type { Clock } from "../clock";
import { StorageFault } from "../storage/storage-fault";

const againMs = 60_000;

/** Passes faults on; of a file that cannot be used only the first one, and then one a minute. */
export function complaints(clock: Clock, passOn: (error: unknown) => void): (error: unknown) => void {
  const last = new Map<string, number>();
  return (error) => {
    if (error instanceof StorageFault) {
      const before = last.get(error.place);
      if (before !== undefined && clock.now() - before < againMs) return;
      last.set(error.place, clock.now());
    }
    passOn(error);
  };
}
