import type { Decoded } from "../../core/decoded";
import { notKnownYet } from "../../resource/inputs/unknown";
import { at, isGiven, withValuesAt } from "../../resource/inputs/values";

/** Input with the paths of inputs to set to `null`, for languages whose SDKs omit `null`. */
const inputName = "clear";

/** Returns the inputs with `null` at the paths in `clear`, and the reasons why `clear` is not valid. */
export function withCleared(inputs: Decoded): { inputs: Decoded; failures: string[] } {
  const { [inputName]: paths, ...values } = inputs.values;
  if (!isGiven(paths)) return { inputs: { ...inputs, values }, failures: [] };
  if (!Array.isArray(paths) || !paths.every((path) => typeof path === "string")) {
    const reason = `${inputName}: must be a list of paths of inputs, which are known in previews`;
    return { inputs: { ...inputs, values }, failures: [reason] };
  }
  const absent = paths.filter((path) => !isGiven(at(values, path)));
  // An unknown value is decided by the check of the update.
  const declared = paths.filter((path) => !absent.includes(path) && at(values, path) !== notKnownYet);
  const cleared = Object.fromEntries(absent.map((path) => [path, null]));
  return {
    inputs: { ...inputs, values: withValuesAt(values, cleared) },
    failures: declared.map(
      (path) => `${inputName}: remove ${path} from this list, or omit the input ${path}`,
    ),
  };
}
