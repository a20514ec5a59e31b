import {
  commonNotes,
  reasonsAbout,
  type Change,
  type CommonEffect,
  type FieldCode,
  type Reason,
} from "../resource/plan";

/** What a changed field of a deployment asks for. */
export type Effect =
  | CommonEffect
  /** The service cannot change it, but it was the server's to choose so far: it must be what the server chose. */
  | "confirm"
  /** Patched, and a new revision is rolled out. */
  | "revision";

/** One changed field of a deployment. */
export type DeploymentChange = Change<Effect>;

/** Codes of a deployment's reasons that are about no fields. */
export const notes = [
  ...commonNotes,
  /** The last rollout failed: a new revision is made whatever else changes. */
  "after-failure",
  /** An earlier rollout has not settled, and is waited for. */
  "resumes-wait",
  /** Changed secrets do not reach the revision that serves. */
  "secrets-later",
] as const;

/** The codes of all reasons that a deployment's plan may have. */
export type DeploymentCode = FieldCode<Effect> | (typeof notes)[number];

/** What reasons are made from. */
interface Outcome {
  changes: DeploymentChange[];
  replaces: boolean;
  newRevision: boolean;
  resumesWait: boolean;
  afterFailure: boolean;
}

/** One reason for each thing that will happen, in the order in which they are said. */
export function reasonsFor(outcome: Outcome): Reason<DeploymentCode>[] {
  const { changes, replaces, newRevision, resumesWait, afterFailure } = outcome;
  const about = reasonsAbout(changes, replaces);
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
