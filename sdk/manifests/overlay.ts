import type { LocatedDocument } from "./located-document";
import { valueAt } from "./texts";

/** A manifest with its overlay, if there is one, laid over it; what it says is found in either file. */
export function overlaid(base: LocatedDocument, overlay: LocatedDocument | undefined): LocatedDocument {
  const patch = valueAt(overlay?.value, ["spec"]);
  if (!overlay || !isObject(patch) || !isObject(base.value)) return base;
  return {
    value: { ...base.value, spec: mergePatch(valueAt(base.value, ["spec"]), patch) },
    holds: (path) => overlay.holds(path) || base.holds(path),
    place: (path, part) => fileOf(path, base, overlay).place(path, part),
  };
}

/** Which of the two a value comes from; of what is missing, the one that holds most of the way to it. */
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
 * A value changed by a JSON merge patch (RFC 7396): objects are merged field by field, null takes a field away,
 * anything else takes the old value's place. Any name of a field is only a name here, `__proto__` as well.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
