import type { Change } from "./record";

/**
 * Applies the changes in place: only values that are assigned to the SDK's own object stay secret, and keep the inputs
 * that the engine hides.
 */
export function applyChanges(props: Record<string, unknown>, changes: readonly Change[]): void {
  for (const { field, value } of changes) {
    const keys = field.split(".");
    const last = keys.pop()!;
    let holder = props;
    for (const key of keys) {
      if (typeof holder[key] !== "object" || holder[key] === null) holder[key] = {};
      holder = holder[key] as Record<string, unknown>;
    }
    holder[last] = value;
  }
}
