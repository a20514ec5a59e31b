import type { Finding } from "./inputs/finding";
import type { ResourceIdentity } from "./ownership/owner-id";

/** Operations that have separate timeouts. */
export const timedOperations = ["create", "update", "delete"] as const;

export type TimedOperation = (typeof timedOperations)[number];

/** A call from the engine for one resource, in the format that all hosts use. */
export interface Call extends ResourceIdentity {
  /** The `customTimeouts` in the program, in milliseconds. */
  timeouts: Partial<Record<TimedOperation, number>>;
  /** The `replaceOnChanges` resource option: paths of properties whose changes trigger a replacement. */
  replaceOnChanges?: readonly string[];
  /** Findings about the call itself, such as an invalid timeout. */
  faults: readonly Finding[];
  /**
   * True if the resource was created by the other host (provider plugin or dynamic provider), so that its state must be
   * written again.
   */
  isMoved?: boolean;
  /** Signal that is aborted when the engine cancels the call, if the host supports that. */
  signal?: AbortSignal;
}

/** True if the value at a path must not be displayed. */
export type IsSecret = (path: string) => boolean;

/** Returns a predicate that is true for each secret path, for groups that contain one, and for paths inside one. */
export function secretAmong(paths: readonly string[]): IsSecret {
  return (path) =>
    paths.some((one) => path === one || path.startsWith(`${one}.`) || one.startsWith(`${path}.`));
}
