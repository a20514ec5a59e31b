import { isSameJson } from "../resource/inputs/json";
import { keysAt, type Props, textsAt, valueOf } from "../resource/inputs/values";
import { type AnyKind, inputsOf, secretCopiesIn } from "../resource/kind";

/** Properties of a resource, and the paths of the secrets among them. */
interface MarkedProps {
  values: Props;
  secretPaths: readonly string[];
}

/**
 * Minimum length of a secret that is searched for in longer strings, in characters. A shorter one must match the whole
 * string.
 */
const minContained = 8;

/** Returns the strings that the program or the stack has marked as secret. */
export function secretTextsIn({ values, secretPaths }: MarkedProps): string[] {
  return secretPaths.flatMap((path) => textsAt(values, path));
}

/** Returns the paths of strings that equal or contain one of these secrets. */
export function pathsWith(secrets: readonly string[], values: object, prefix = ""): string[] {
  const isSecret = (text: string) =>
    secrets.some((one) => one === text || (one.length >= minContained && text.includes(one)));
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    const path = prefix + key;
    if (typeof value === "string") return value !== "" && isSecret(value) ? [path] : [];
    return typeof value === "object" && value !== null ? pathsWith(secrets, value, `${path}.`) : [];
  });
}

/**
 * Returns the paths of values that must stay secret after an update, although the program may no longer mark any input
 * with these values as secret: outputs that repeat text that was secret, and inputs that differ from the program, such
 * as values that are still on the server after a failed update.
 * @param before the previous state
 * @param wanted the inputs in the program
 */
export function keptSecrets(kind: AnyKind, before: MarkedProps, wanted: Props, after: Props): string[] {
  const { values, secretPaths } = before;
  const copies = secretCopiesIn(kind, values, secretPaths).map((keys) => keys.join("."));
  const isOutput = (path: string) => kind.outputs.includes(path.split(".")[0]!);
  const outputs = [...copies, ...secretPaths.filter(isOutput)].filter((path) => {
    const earlier = new Set(textsAt(values, path));
    return textsAt(after, path).some((text) => earlier.has(text));
  });
  const inputs = inputsOf(kind, after);
  const isDeclared = (keys: string[]) => isSameJson(valueOf(inputs, keys), valueOf(wanted, keys));
  const others = [...secretPaths, ...pathsWith(secretTextsIn(before), inputs)].filter((path) =>
    keysAt(inputs, path).some((keys) => !isDeclared(keys)),
  );
  return [...new Set([...outputs, ...others])];
}
