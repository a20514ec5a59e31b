import { isGroup } from "../../provider/resource/inputs/values";
import type { LocatedDocument } from "./located-document";
import { valueAt } from "./texts";

/** Returns a manifest merged with its overlay, if it has one. Each position refers to one of the two files. */
export function overlaid(base: LocatedDocument, overlay: LocatedDocument | undefined): LocatedDocument {
  const patch = valueAt(overlay?.value, ["spec"]);
  if (!overlay || !isGroup(patch) || !isGroup(base.value)) return base;
  return {
    value: { ...base.value, spec: mergePatch(valueAt(base.value, ["spec"]), patch) },
    holds: (path) => overlay.holds(path) || base.holds(path),
    place: (path, part) => fileOf(path, base, overlay).place(path, part),
  };
}

/**
 * Returns the file that contains a value. For a missing value, returns the file that contains the longest part of its
 * path.
 */
function fileOf(path: readonly string[], base: LocatedDocument, overlay: LocatedDocument): LocatedDocument {
  if (path.length > 1 && overlay.holds(path)) return overlay;
  for (let length = path.length; length > 0; length--) {
    const way = path.slice(0, length);
    if (base.holds(way)) return base;
    if (overlay.holds(way)) return overlay;
  }
  return base;
}

/**
 * Applies a JSON merge patch (RFC 7396) to a value: objects are merged field by field, null removes a field, and any
 * other value replaces the old one. Every field name is treated as an ordinary name, including `__proto__`.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isGroup(patch)) return patch;
  const merged = new Map(isGroup(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
