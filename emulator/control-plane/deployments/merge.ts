import type { Dialect } from "../dialects";

/** A group of settings with a partial change laid over it; what null means is the dialect's. */
export function mergeGroup<Group extends object>(
  name: "source_config" | "source_revision_config",
  kept: Group,
  change: Group,
  dialect: Dialect,
): Group {
  const sent = Object.entries(change).filter(
    ([field, value]) =>
      value !== undefined && (value !== null || dialect.clearable.includes(`${name}.${field}`)),
  );
  return { ...kept, ...Object.fromEntries(sent) };
}
