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
  /**
   * The service cannot change the field and has set its current value, so the new value must equal the current value.
   */
  | "confirm"
  /** The change is sent in a PATCH, which rolls out a new revision. */
  | "revision";

/** One changed field of a deployment. */
export type DeploymentChange = Change<Effect>;

/** Reason codes of a deployment's plan that do not refer to fields. */
export const notes = [
  ...commonNotes,
  /** The last rollout failed, so a new revision is created even if nothing else changes. */
  "after-failure",
  /** An earlier rollout is still in progress, and the update waits for it. */
  "resumes-wait",
  /** Another resource owns the deployment, so the update will be rejected. */
  "lost",
  /** Another resource owns the deployment, and this resource reclaims it. */
  "taken-back",
  /** Another resource owns the deployment. Reclaiming it writes the ownership tag, which creates a revision. */
  "taken-back-with-revision",
  /** The active revision does not receive the changed secrets. */
  "secrets-later",
] as const;

/**
 * Code of the reason for a replacement that creates the new deployment before it deletes the old one. The reason lists
 * the fields that cause the replacement.
 */
const beforehand = "replace-create-first";

/** Codes of all reasons that a deployment's plan can have. */
export type DeploymentCode = FieldCode<Effect> | CommonCode | typeof beforehand | (typeof notes)[number];

/** Codes that refer to a deployment that another resource owns. */
export type LossCode = Extract<DeploymentCode, "lost" | `taken-back${string}`>;

/** True if a path is part of the agent's environment: a secret or a plain variable. */
export function isEnvironment(path: string): boolean {
  return ["secrets", "environmentVariables"].includes(path.split(".")[0]!);
}

/** Facts about a planned change that determine its reasons. */
interface Outcome {
  changes: DeploymentChange[];
  replaces: boolean;
  /** For a replacement: true if the new deployment is created before the old one is deleted. */
  createsFirst?: boolean;
  newRevision: boolean;
  resumesWait: boolean;
  afterFailure: boolean;
  lost?: LossCode;
}

/** Returns one reason for each effect that occurs, in the order in which the reasons are displayed. */
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
