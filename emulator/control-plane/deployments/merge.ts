import type { Dialect } from "../dialects";

/** Returns a group of settings with a partial change merged into it; the dialect decides the meaning of null. */
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
