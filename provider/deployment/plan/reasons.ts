import {
  commonNotes,
  reasonsAbout,
  type Change,
  type CommonCode,
  type CommonEffect,
  type FieldCode,
  type Reason,
} from "../../resource/plan";

/** Effect of a changed field of a deployment. */
export type Effect =
  | CommonEffect
  /** The service cannot change the field and has chosen its current value, so the new value must be equal to it. */
  | "confirm"
  /** Sent in a PATCH; a new revision is rolled out. */
  | "revision";

/** One changed field of a deployment. */
export type DeploymentChange = Change<Effect>;

/** Codes of a deployment's reasons that are not about fields. */
export const notes = [
  ...commonNotes,
  /** The last rollout failed, so a new revision is created in any case. */
  "after-failure",
  /** An earlier rollout has not settled and is awaited. */
  "resumes-wait",
  /** Another resource owns the deployment, so the update will be rejected. */
  "lost",
  /** Another resource owns the deployment, and this resource adopts it back. */
  "taken-back",
  /**
   * Another resource owns the deployment, and the ownership tag with which this resource adopts it back creates a
   * revision.
   */
  "taken-back-with-revision",
  /** The active revision does not receive the changed secrets. */
  "secrets-later",
] as const;

/** Code of a replacement that creates the new deployment before it deletes the old one. It is a reason about fields. */
const beforehand = "replace-create-first";

/** Codes of all reasons that a deployment's plan may have. */
export type DeploymentCode = FieldCode<Effect> | CommonCode | typeof beforehand | (typeof notes)[number];

/** Codes about a deployment that another resource owns. */
export type LossCode = Extract<DeploymentCode, "lost" | `taken-back${string}`>;

/** True if a path is part of the agent's environment: a secret or a plain variable. */
export function isEnvironment(path: string): boolean {
  return ["secrets", "environmentVariables"].includes(path.split(".")[0]!);
}

/** Input of the function that creates the reasons. */
interface Outcome {
  changes: DeploymentChange[];
  replaces: boolean;
  /** In a replacement: true if the new deployment is created before the old one is deleted. */
  createsFirst?: boolean;
  newRevision: boolean;
  resumesWait: boolean;
  afterFailure: boolean;
  lost?: LossCode;
}

/** Returns one reason for each effect, in the order in which they are displayed. */
export function reasonsFor(outcome: Outcome): Reason<DeploymentCode>[] {
  const { changes, replaces, createsFirst, newRevision, resumesWait, afterFailure, lost } = outcome;
  const about = reasonsAbout(changes, replaces);
  const loss = lost ? [{ code: lost }] : [];
  if (replaces) {
    const causes = about("replace").map(({ changes }): Reason<DeploymentCode> => ({
      code: createsFirst ? beforehand : "replace",
      changes,
    }));
    return [...loss, ...causes, ...about("along", "along?")];
  }
  const secretsLater =
    !newRevision && changes.some(({ path, effect }) => effect === "patch" && isEnvironment(path));
  return [
    ...loss,
    ...about("replace?"),
    ...(newRevision && afterFailure ? [{ code: "after-failure" } as const] : []),
    ...about("revision", "revision?"),
    ...(resumesWait ? [{ code: "resumes-wait" } as const] : []),
    ...about("patch", "patch?"),
    ...(secretsLater ? [{ code: "secrets-later" } as const] : []),
    ...about("confirm", "confirm?", "state", "state?"),
  ];
}
