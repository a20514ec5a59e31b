import type { Change } from "./change";
import type { Reason, ReasonCode } from "./reasons";

/** What each reason says. A list of changes follows after a colon, where there is one; the code comes last. */
const words: Readonly<Record<ReasonCode, string>> = {
  replace: "is replaced, deleted first, with its threads, assistants, crons and store",
  "replace?": "may be replaced, not known yet",
  along: "changes along with it",
  "along?": "changes along with it, value not known yet",
  "after-failure": "needs a new revision: the last rollout failed",
  revision: "needs a new revision",
  "revision?": "needs a new revision, value not known yet",
  "resumes-wait": "continues to wait for the rollout that had not settled",
  patch: "patched without a new revision",
  "patch?": "patched without a new revision, value not known yet",
  "secrets-later": "changed secrets take effect at the next revision",
  confirm: "must be what the control plane chose, because it cannot be changed in place",
  "confirm?":
    "must be what the control plane chose, because it cannot be changed in place, value not known yet",
  state: "kept in state, nothing is sent",
  "state?": "kept in state, nothing is sent, value not known yet",
  "new-address": "keeps the control plane's new address",
};

/** A reason as people read it. */
export function inWords({ code, changes }: Reason): string {
  return changes ? `${words[code]}: ${listChanges(changes)}` : words[code];
}

/**
 * All reasons of a plan in one line of the log, each with its code in brackets at its end: people read the words, and
 * `readReasons` the code and the list, so that words may change from release to release.
 */
export function logLine(reasons: readonly Reason[]): string {
  return reasons.map((reason) => `${inWords(reason)} [${reason.code}]`).join("; ");
}

/** The changed paths, with old and new values where they may be shown. */
export function listChanges(changes: Pick<Change, "path" | "values">[]): string {
  return changes
    .map(({ path, values }) =>
      values ? `${word(path)} ${word(values.from)} → ${word(values.to)}` : word(path),
    )
    .join(", ");
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
