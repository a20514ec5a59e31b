import { withoutCredentials } from "../../repository/address-credentials";
import { isCommit } from "../../../wire";

/** What a changed field asks for. */
export type Effect =
  /** The service cannot change it: the deployment is deleted and created again. */
  | "replace"
  /** The service cannot change it, but it was the server's to choose so far: it must be what the server chose. */
  | "confirm"
  /** Patched, and a new revision is rolled out. */
  | "revision"
  /** Patched without a new revision. */
  | "patch"
  /** Kept in state only; nothing is sent. */
  | "state";

/** One changed field. */
export interface Change {
  /** For example `sourceRevisionConfig.repoRef`. */
  path: string;
  effect: Effect;
  /** The new value is not known yet (preview only). */
  unknown?: true;
  /** Old and new value as short text; left out for secrets and unknown values. */
  values?: { from: string; to: string };
}

/** A value as short text for a reason. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return "none";
  const text = typeof value === "string" ? shortCommit(value) : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function shortCommit(text: string): string {
  return isCommit(text) ? text.slice(0, 10) : withoutCredentials(text);
}
