import type { Clock } from "../clock";
import { StorageFault } from "../storage/storage-fault";

const againMs = 60_000;

/**
 * Returns a function that passes faults on. For an unusable file, it passes on the first fault, and then one per
 * minute.
 */
export function errorReporter(
  clock: Clock,
  proxyResponse: (error: unknown) => void,
): (error: unknown) => void {
  const last = new Map<string, number>();
  return (error) => {
    if (error instanceof StorageFault) {
      const before = last.get(error.place);
      if (before !== undefined && clock.now() - before < againMs) return;
      last.set(error.place, clock.now());
    }
    proxyResponse(error);
  };
}
