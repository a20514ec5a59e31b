import { isDeepStrictEqual } from "node:util";
import { truncate } from "../../text/truncate";

/**
 * Returns the reason that the state of a thread does not meet the expectation; `undefined` if it does. A string must
 * occur in the state. The keys of an object must exist with these values; other keys are ignored. Lists are compared
 * item by item.
 * @param redact removes secrets from reported values before they are shortened, so that no part of a secret remains
 * @param name name of the state in the returned reason
 */
export function unmetExpectation(
  expected: unknown,
  state: unknown,
  redact: (text: string) => string = (text) => text,
  name = "values",
): string | undefined {
  if (typeof expected === "string") {
    const found = textsIn(state).some((text) => text.includes(expected));
    return found ? undefined : `none of its strings contains ${shown(expected, redact)}`;
  }
  return firstDifference(expected, state, name, redact);
}

/** Maximum length of an agent's response in an error, in characters. */
const answerLimit = 1_000;

/**
 * Formats the response of an agent on one line: the text of the last message, or the whole state if there are no
 * messages. Strings are quoted.
 * @param redact removes secrets before the response is shortened
 */
export function answerIn(state: unknown, redact: (text: string) => string): string {
  const messages = (state as { messages?: unknown } | null | undefined)?.messages;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  const content = (last as { content?: unknown } | null | undefined)?.content;
  const text = redact(JSON.stringify(content ?? last ?? state ?? null));
  return truncate(text, answerLimit);
}

function firstDifference(
  expected: unknown,
  found: unknown,
  path: string,
  redact: (text: string) => string,
): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(found)) return `${path} is not a list`;
    if (found.length !== expected.length) return `${path} has length ${found.length}, not ${expected.length}`;
    return expected
      .map((item, index) => firstDifference(item, found[index], `${path}[${index}]`, redact))
      .find((difference) => difference !== undefined);
  }
  if (typeof expected === "object" && expected !== null) {
    if (typeof found !== "object" || found === null) return `${path} is not an object`;
    return Object.entries(expected)
      .map(([key, value]) =>
        Object.hasOwn(found, key)
          ? firstDifference(value, (found as Record<string, unknown>)[key], `${path}.${key}`, redact)
          : `${path}.${key} is missing`,
      )
      .find((difference) => difference !== undefined);
  }
  return isDeepStrictEqual(expected, found)
    ? undefined
    : `${path} is ${shown(found, redact)}, not ${shown(expected, redact)}`;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return value === undefined ? [] : [JSON.stringify(value)];
  return Object.values(value).flatMap(textsIn);
}

function shown(value: unknown, redact: (text: string) => string): string {
  const text = redact(value === undefined ? "nothing" : JSON.stringify(value));
  return text.length > 200 ? `${text.slice(0, 197)}…` : text;
}
