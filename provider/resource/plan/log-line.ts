import { hidden } from "../../text/redact";
import type { Change, ChangeSummary, Reason, Words } from "./reasons";
import { differingParts, shortTexts } from "./display-value";

type Redact = (text: string) => string;

/**
 * Formats all reasons for a plan on one log line, each with its code in brackets at the end. The text is for users;
 * `readLine` parses only the code and the list, so that texts can change between releases. Secrets are removed only
 * from paths and values, never from codes and texts.
 */
export function logLine<Code extends string>(
  reasons: readonly Reason<Code>[],
  words: Words<Code>,
  redact: Redact,
): string {
  return reasons.map((reason) => `${inWords(reason, words, redact)} [${reason.code}]`).join("; ");
}

/** Formats a reason for display to the user. */
export function inWords<Code extends string>(
  { code, changes }: Reason<Code>,
  words: Words<Code>,
  redact: Redact,
): string {
  return changes ? `${words[code]}: ${listChanges(changes, redact)}` : words[code];
}

/** Maximum number of changed parts of a JSON value that are listed individually. */
const listedParts = 20;

/**
 * Formats the changed paths, with old and new values if these may be displayed. JSON values are compared by path, so
 * that only the parts that differ are listed.
 */
export function listChanges(
  changes: readonly Pick<Change, "path" | "values" | "summary">[],
  redact: Redact,
): string {
  const valueWords = (values: { from: unknown; to: unknown }) => {
    const { from, to } = shortTexts(values, redact);
    return `${word(from)} → ${word(to)}`;
  };
  return changes
    .flatMap(({ path, values, summary }) => {
      if (summary !== undefined) return [`${word(redact(path))} (${summaryText(summary, redact)})`];
      if (!values) return [word(redact(path))];
      const parts = differingParts(path, values);
      if (parts.length > listedParts) return [`${word(redact(path))} (${parts.length} parts changed)`];
      return parts.map((one) => `${word(redact(one.path))} ${valueWords(one)}`);
    })
    .join(", ");
}

/** Maximum number of names that a summary lists in each category: added, changed, and removed. */
const listedNames = 10;

function summaryText(summary: ChangeSummary, redact: Redact): string {
  if (typeof summary === "string") return summary;
  const { added, changed, removed } = summary;
  const listed = (names: readonly string[], adjective: string) => {
    if (names.length === 0) return [];
    const first = names.slice(0, listedNames).map((name) => nameInSummary(redact(name)));
    const rest = names.length - first.length;
    return [`${names.length} ${adjective}: ${[...first, ...(rest > 0 ? [`${rest} more`] : [])].join(", ")}`];
  };
  return [...listed(added, "new"), ...listed(changed, "changed"), ...listed(removed, "removed")].join(
    ", and ",
  );
}

/** Formats a name in a summary. The name is quoted only if it could be mistaken for the end of the summary. */
function nameInSummary(name: string): string {
  return name === hidden || /^[\w./@-]+$/.test(name) ? name : JSON.stringify(name);
}

/** Formats a path or value so that it can be parsed again. It is quoted only if it would otherwise be ambiguous. */
function word(text: string): string {
  // A bracket that stands for a secret is closed in the same word, so it is unambiguous.
  const telling = text.startsWith(hidden) ? text.slice(1) : text;
  return /^[^\s,;"→[{(][^\s,;"→]*$/.test(telling) || isJson(text) ? text : JSON.stringify(text);
}

function isJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}
