import type { Dialect } from "../dialect";

/** A group of settings with a partial change laid over it; what null means is the dialect's. */
export function mergeGroup<Group extends object>(kept: Group, change: Group, dialect: Dialect): Group {
  const clearable: readonly string[] = dialect.clearable;
  const sent = Object.entries(change).filter(
    ([field, value]) => value !== undefined && (value !== null || clearable.includes(field)),
  );
  return { ...kept, ...Object.fromEntries(sent) };
}
