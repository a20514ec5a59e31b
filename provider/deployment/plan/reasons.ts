import type { Change } from "./change";
import type { LastRollout } from "./plan";
import { replacementHeadings, sentences, updateHeadings, type Heading } from "./sentences";

interface Outcome {
  changes: Change[];
  replaces: boolean;
  newRevision: boolean;
  resumesWait: boolean;
  lastRollout: LastRollout;
}

/** One sentence for each thing that will happen, naming the fields that ask for it; `readReasons` reads them back. */
export function reasonsFor(outcome: Outcome): string[] {
  const { changes, replaces, newRevision, resumesWait, lastRollout } = outcome;
  if (replaces) return sentencesUnder(replacementHeadings, changes.map(inReplacement));
  const { mayReplace, revision, patch, confirm, state } = updateHeadings;
  const secretsLater =
    !newRevision && changes.some(({ path, effect }) => effect === "patch" && path.startsWith("secrets"));
  return [
    ...sentencesUnder([mayReplace], changes),
    ...(newRevision && lastRollout === "failed" ? [sentences.afterFailure] : []),
    ...sentencesUnder(revision, changes),
    ...(resumesWait ? [sentences.resumesWait] : []),
    ...sentencesUnder(patch, changes),
    ...(secretsLater ? [sentences.secretsLater] : []),
    ...sentencesUnder(confirm, changes),
    ...sentencesUnder(state, changes),
  ];
}

/** The changed paths, with old and new values where they may be shown. */
export function listChanges(changes: Pick<Change, "path" | "values">[]): string {
  return changes
    .map(({ path, values }) =>
      values ? `${word(path)} ${word(values.from)} → ${word(values.to)}` : word(path),
    )
    .join(", ");
}

type ListedChange = Pick<Change, "path" | "unknown" | "values"> & { effect: Heading["effect"] };

function sentencesUnder(headings: Heading[], changes: ListedChange[]): string[] {
  return headings.flatMap(({ text, effect, unknown }) => {
    const found = changes.filter((change) => change.effect === effect && !change.unknown === !unknown);
    return found.length > 0 ? [`${text}: ${listChanges(found)}`] : [];
  });
}

function inReplacement(change: Change): ListedChange {
  return change.effect === "replace" && !change.unknown ? change : { ...change, effect: "along" };
}

/** As it stands where that is clear, else in quotes: what is written must be readable back. */
function word(text: string): string {
  return /^[^\s,;"→[{][^\s,;"→]*$/.test(text) || isJson(text) ? text : JSON.stringify(text);
}

function isJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
}
