import type { Change } from "./change";

/**
 * Why a plan does what it does, or what it does besides: the codes of all reasons. With `?` after it, a code is about
 * values that are not known yet.
 */
export const reasonCodes = [
  /** Fields that cannot be changed: the resource is deleted and created again. */
  "replace",
  /** Fields that cannot be changed, to values that are not known yet. */
  "replace?",
  /** Fields that change in the course of a replacement that others ask for. */
  "along",
  "along?",
  /** The last rollout failed: a new revision is made whatever else changes. */
  "after-failure",
  /** Fields that ask for a new revision. */
  "revision",
  "revision?",
  /** An earlier rollout has not settled, and is waited for. */
  "resumes-wait",
  /** Fields that are patched without a new revision. */
  "patch",
  "patch?",
  /** Changed secrets do not reach the revision that serves. */
  "secrets-later",
  /** Fields that must have the value that the control plane chose. */
  "confirm",
  "confirm?",
  /** Fields that are kept in state alone. */
  "state",
  "state?",
  /** The configuration names the control plane by another address than state. */
  "new-address",
] as const;

export type ReasonCode = (typeof reasonCodes)[number];

/** One reason of a plan. */
export interface Reason {
  code: ReasonCode;
  /** The fields that it is about, where it is about fields. */
  changes?: Change[];
}

/** What reasons are made from. */
interface Outcome {
  changes: Change[];
  replaces: boolean;
  newRevision: boolean;
  resumesWait: boolean;
  afterFailure: boolean;
}

/** One reason for each thing that will happen, in the order in which they are said. */
export function reasonsFor(outcome: Outcome): Reason[] {
  const { changes, replaces, newRevision, resumesWait, afterFailure } = outcome;
  const about = (...codes: ReasonCode[]): Reason[] =>
    codes.flatMap((code) => {
      const found = changes.filter((change) => codeOf(change, replaces) === code);
      return found.length > 0 ? [{ code, changes: found }] : [];
    });
  if (replaces) return about("replace", "along", "along?");
  const secretsLater =
    !newRevision && changes.some(({ path, effect }) => effect === "patch" && path.startsWith("secrets"));
  return [
    ...about("replace?"),
    ...(newRevision && afterFailure ? [{ code: "after-failure" } as const] : []),
    ...about("revision", "revision?"),
    ...(resumesWait ? [{ code: "resumes-wait" } as const] : []),
    ...about("patch", "patch?"),
    ...(secretsLater ? [{ code: "secrets-later" } as const] : []),
    ...about("confirm", "confirm?", "state", "state?"),
  ];
}

/** What a change is a reason for. In a replacement, all that does not ask for it comes along. */
function codeOf({ effect, unknown }: Change, replaces: boolean): ReasonCode {
  if (effect === "replace" && !unknown) return "replace";
  const planned = replaces ? "along" : effect;
  return unknown ? `${planned}?` : planned;
}
