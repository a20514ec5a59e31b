import type { ResourceIdentity } from "./owner-id";

/** Operations that have a timeout of their own. */
export type TimedOperation = "create" | "update" | "delete";

/** One call of the engine about one resource, as every host fills it. */
export interface Call extends ResourceIdentity {
  /** The program's `customTimeouts`, as lengths of time such as `30m`. */
  timeouts: Partial<Record<TimedOperation, string>>;
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
