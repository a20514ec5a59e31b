import { hidden } from "../../text/redact";
import type { Change, Reason, Words } from "./reasons";
import { shortText } from "./display-value";

type Redact = (text: string) => string;

/**
 * Formats all reasons of a plan in one line of the log, each with its code in brackets at the end: users read the text,
 * and `readLine` the code and the list, so that texts may change between releases. Secrets are removed only from paths
 * and values. Codes and texts are kept, regardless of the secrets.
 */
export function logLine<Code extends string>(
  reasons: readonly Reason<Code>[],
  words: Words<Code>,
  redact: Redact,
): string {
  return reasons.map((reason) => `${inWords(reason, words, redact)} [${reason.code}]`).join("; ");
}

/** Formats a reason for the user. */
export function inWords<Code extends string>(
  { code, changes }: Reason<Code>,
  words: Words<Code>,
  redact: Redact,
): string {
  return changes ? `${words[code]}: ${listChanges(changes, redact)}` : words[code];
}

/** Formats the changed paths, with old and new values if they may be displayed. */
export function listChanges(changes: readonly Pick<Change, "path" | "values">[], redact: Redact): string {
  const valueWord = (value: unknown) => word(shortText(value, redact));
  return changes
    .map(({ path, values }) =>
      values
        ? `${word(redact(path))} ${valueWord(values.from)} → ${valueWord(values.to)}`
        : word(redact(path)),
    )
    .join(", ");
}

/** Formats a word without quotes if that is unambiguous, otherwise in quotes, so that it can be parsed again. */
function word(text: string): string {
  // A bracket that stands for a secret is closed in the same word, so it is unambiguous.
  const telling = text.startsWith(hidden) ? text.slice(1) : text;
  return /^[^\s,;"→[{][^\s,;"→]*$/.test(telling) || isJson(text) ? text : JSON.stringify(text);
}

function isJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}
