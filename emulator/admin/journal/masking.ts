/** What stands in place of a secret. */
export const mask = "[masked]";

const sensitiveKey = /secret|token|password|passwd|credential|authorization|api[-_]?key|private[-_]?key/i;

/**
 * A copy of a request body that can be shown: no value of a `secrets` entry or of any other name-and-value pair, nothing
 * under a key that speaks of secrets, and none of those values anywhere else in the body either.
 *
 * @param known - Further values to keep out, such as API keys.
 */
export function masked(body: unknown, known: readonly string[]): unknown {
  const values = new Set(known.filter((value) => value.length > 0));
  collect(body, false, values);
  const longestFirst = [...values].sort((one, other) => other.length - one.length);
  return cleaned(body, false, longestFirst);
}

/** `text` without any of the values. */
export function maskedText(text: string, values: readonly string[]): string {
  return values.reduce((rest, value) => (value ? rest.replaceAll(value, mask) : rest), text);
}

function collect(part: unknown, sensitive: boolean, values: Set<string>): void {
  if (Array.isArray(part)) for (const item of part) collect(item, sensitive, values);
  else if (isObject(part))
    for (const [key, value] of Object.entries(part))
      collect(value, sensitiveAt(part, key, sensitive), values);
  // Short words occur by chance: replacing them everywhere would make the rest unreadable.
  else if (sensitive && typeof part === "string" && part.length >= 4) values.add(part);
}

function cleaned(part: unknown, sensitive: boolean, values: readonly string[]): unknown {
  if (Array.isArray(part)) return part.map((item) => cleaned(item, sensitive, values));
  if (isObject(part))
    return Object.fromEntries(
      Object.entries(part).map(([key, value]) => [
        maskedText(key, values),
        cleaned(value, sensitiveAt(part, key, sensitive), values),
      ]),
    );
  if (sensitive && part !== null && part !== undefined) return mask;
  return typeof part === "string" ? maskedText(part, values) : part;
}

function sensitiveAt(parent: Record<string, unknown>, key: string, inherited: boolean): boolean {
  const isPair = "name" in parent && "value" in parent;
  if (isPair && key === "value") return true;
  if (isPair && key === "name" && typeof parent["name"] === "string") return false;
  return inherited || sensitiveKey.test(key);
}

function isObject(part: unknown): part is Record<string, unknown> {
  return typeof part === "object" && part !== null;
}
