import { isSameJson } from "../resource/inputs/json";
import { isGroup, keysAt, type Props, textsAt, valueOf } from "../resource/inputs/values";
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
 * as values that are still on the server after a failed update. Text that the program specifies only in inputs that are
 * not secret is not kept secret.
 * @param before the previous state
 * @param program the inputs in the program
 */
export function keptSecrets(
  kind: AnyKind,
  before: MarkedProps,
  program: MarkedProps,
  after: Props,
): string[] {
  const { values, secretPaths } = before;
  const { values: wanted } = program;
  const isOutput = (path: string) => kind.outputs.includes(path.split(".")[0]!);
  const copies = secretCopiesIn(kind, values, secretPaths).map((keys) => keys.join("."));
  const formerOutputs = [...copies, ...secretPaths.filter(isOutput)];
  const undeclared = differences(inputsOf(kind, after), wanted);
  if (formerOutputs.length === 0 && Object.keys(undeclared).length === 0) return [];
  const declared = new Set(Object.keys(wanted).flatMap((name) => textsAt(wanted, name)));
  const secrets = [...program.secretPaths, ...(kind.secretMaps ?? [])];
  for (const text of secretTextsIn({ values: wanted, secretPaths: secrets })) declared.delete(text);
  const outputs = formerOutputs.filter((path) => {
    const earlier = new Set(textsAt(values, path).filter((text) => !declared.has(text)));
    return textsAt(after, path).some((text) => earlier.has(text));
  });
  const formerInputs = secretPaths.filter((path) => !isOutput(path));
  const texts = secretTextsIn({ values, secretPaths: formerInputs }).filter(
    (text) => text.length >= minContained && !declared.has(text),
  );
  const isUndeclared = (keys: string[]) => {
    const value = valueOf(undeclared, keys);
    return value !== null && !isSameJson(value, valueOf(wanted, keys));
  };
  const inputs = [...formerInputs, ...pathsWith(texts, undeclared)].filter((path) =>
    keysAt(undeclared, path).some(isUndeclared),
  );
  const kept = [...new Set([...outputs, ...inputs])];
  return outside(kept, kept, after);
}

/** Returns the paths of values that are not part of the value at one of the other paths. */
export function outside(paths: readonly string[], others: readonly string[], values: Props): string[] {
  if (paths.length === 0) return [];
  const groups = new Set(others.flatMap((path) => keysAt(values, path)).map((keys) => JSON.stringify(keys)));
  const isPart = (keys: string[]) =>
    keys.some((_, length) => length > 0 && groups.has(JSON.stringify(keys.slice(0, length))));
  return paths.filter((path) => {
    const places = keysAt(values, path);
    return places.length === 0 || !places.every(isPart);
  });
}

/** Returns the parts of an object that differ from another object. Lists are compared as a whole. */
function differences(values: object, other: object): Props {
  const entries = Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    const counterpart = valueOf(other, [key]);
    if (isSameJson(value, counterpart)) return [];
    return [[key, isGroup(value) && isGroup(counterpart) ? differences(value, counterpart) : value] as const];
  });
  return Object.fromEntries(entries);
}
