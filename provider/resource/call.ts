import type { Finding } from "./inputs/finding";
import type { ResourceIdentity } from "./ownership/owner-id";

/** Operations that have a timeout of their own. */
export const timedOperations = ["create", "update", "delete"] as const;

export type TimedOperation = (typeof timedOperations)[number];

/** One call of the engine about one resource, as every host fills it. */
export interface Call extends ResourceIdentity {
  /** The program's `customTimeouts`, in milliseconds. */
  timeouts: Partial<Record<TimedOperation, number>>;
  /** The program's option `replaceOnChanges`: paths of properties whose change replaces the resource. */
  replaceOnChanges?: readonly string[];
  /** What is wrong with the call itself, such as a timeout that is not a length of time. */
  faults: readonly Finding[];
  /** Aborted when the engine cancels the call, where it can. */
  signal?: AbortSignal;
}

/** Tells whether the value at a path must not be shown. */
export type IsSecret = (path: string) => boolean;

/** Whether a path, or a group around or inside it, is among the paths that are secret. */
export function secretAmong(paths: readonly string[]): IsSecret {
  return (path) =>
    paths.some((one) => path === one || path.startsWith(`${one}.`) || one.startsWith(`${path}.`));
}
