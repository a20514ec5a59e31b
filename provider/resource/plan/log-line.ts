import { hidden } from "../../text/redact";
import type { Change, Reason, Words } from "./reasons";
import { shortText } from "./display-value";

type Redact = (text: string) => string;

/**
 * All reasons of a plan in one line of the log, each with its code in brackets at its end: people read the words, and
 * `readLine` the code and the list, so that words may change from release to release. Secrets are taken out of paths and
 * values alone: codes and words stay, whatever the secrets are.
 */
export function logLine<Code extends string>(
  reasons: readonly Reason<Code>[],
  words: Words<Code>,
  redact: Redact,
): string {
  return reasons.map((reason) => `${inWords(reason, words, redact)} [${reason.code}]`).join("; ");
}

/** A reason as people read it. */
export function inWords<Code extends string>(
  { code, changes }: Reason<Code>,
  words: Words<Code>,
  redact: Redact,
): string {
  return changes ? `${words[code]}: ${listChanges(changes, redact)}` : words[code];
}

/** The changed paths, with old and new values where they may be shown. */
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

/** As it stands where that is clear, else in quotes: what is written must be readable back. */
function word(text: string): string {
  // A bracket that stands for a secret is closed in the same word, so it misleads no reader.
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
