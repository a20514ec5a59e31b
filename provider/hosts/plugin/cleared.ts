import { isDeepStrictEqual } from "node:util";
import type { AnyKind } from "../../resource/kind";
import { nullablePaths } from "../../resource/inputs/shape";
import { notKnownYet } from "../../resource/inputs/unknown";
import { at, isGiven, type Props, withValuesAt } from "../../resource/inputs/values";
import { nearest } from "../../text/nearest";

/** Input that lists the paths of inputs to set to `null`, for languages whose SDKs omit `null`. */
const inputName = "clear";

/** Inputs after `clear` has been applied. */
interface Cleared {
  values: Props;
  /** Reasons that the value of `clear` is not valid. */
  failures: string[];
  /** Paths in `clear` at which the value from the previous inputs is kept. */
  kept: string[];
}

/** Returns the paths that `clear` may contain. */
export function clearablePaths({
  clearable,
  inputs,
}: Pick<AnyKind, "clearable" | "inputs">): readonly string[] {
  return clearable ?? nullablePaths(inputs);
}

/**
 * Returns the inputs with `null` at the paths in `clear`.
 * @param clearable the paths that `clear` may contain
 * @param olds the previous inputs, which the engine uses for inputs in `ignoreChanges`
 */
export function withCleared(inputs: Props, clearable: readonly string[], olds: Props = {}): Cleared {
  const { [inputName]: paths, ...values } = inputs;
  if (clearable.length === 0) return { values: inputs, failures: [], kept: [] };
  if (!isGiven(paths)) return { values, failures: [], kept: [] };
  if (!Array.isArray(paths) || !paths.every((path) => typeof path === "string")) {
    const reason = `${inputName}: must be a list of input paths that is known in previews`;
    return { values, failures: [reason], kept: [] };
  }
  const unknown = paths.filter((path) => !clearable.includes(path));
  // Clearing a group also clears the paths inside it, so the order of the list has no effect.
  const known = paths.filter(
    (path) => !unknown.includes(path) && !paths.some((other) => path.startsWith(`${other}.`)),
  );
  const absent = known.filter((path) => !isGiven(at(values, path)) && hasPlaceFor(path, values));
  // The check during the update handles values that are still unknown.
  const declared = known.filter((path) => isGiven(at(values, path)) && at(values, path) !== notKnownYet);
  const kept = declared.filter((path) => isDeepStrictEqual(at(values, path), at(olds, path)));
  return {
    values: withValuesAt(values, Object.fromEntries(absent.map((path) => [path, null]))),
    failures: [
      ...unknown.map((path) => `${inputName}: ${path} ${unclearableReason(path, clearable)}`),
      ...declared
        .filter((path) => !kept.includes(path))
        .map((path) => `${inputName}: remove ${path} from this list, or omit the ${path} input`),
    ],
    kept,
  };
}

/**
 * True if every group that contains the path is either an object or missing. The checks of the inputs report any other
 * value.
 */
function hasPlaceFor(path: string, values: Props): boolean {
  const keys = path.split(".");
  return keys.slice(1).every((_, index) => {
    const group = at(values, keys.slice(0, index + 1).join("."));
    return !isGiven(group) || Object.getPrototypeOf(group) === Object.prototype;
  });
}

function unclearableReason(path: string, clearable: readonly string[]): string {
  const meant = nearest(path, clearable);
  return meant === undefined
    ? `cannot be cleared; the possible paths are ${clearable.join(", ")}`
    : `cannot be cleared; did you mean ${meant}?`;
}
