import {
  commonNotes,
  reasonsAbout,
  type Change,
  type CommonEffect,
  type FieldCode,
  type Reason,
} from "../../resource/plan";

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
  /** Another resource holds the deployment: the update will be refused. */
  "lost",
  /** Another resource holds the deployment, which is taken back from it. */
  "taken-back",
  /** The same where the ownership tag alone makes a revision. */
  "taken-back-with-revision",
  /** Changed secrets do not reach the revision that serves. */
  "secrets-later",
] as const;

/** Code of a replacement whose new deployment is there before the old one is deleted; it is about fields. */
const beforehand = "replace-create-first";

/** The codes of all reasons that a deployment's plan may have. */
export type DeploymentCode = FieldCode<Effect> | typeof beforehand | (typeof notes)[number];

/** The codes about a deployment that another resource holds. */
export type LossCode = Extract<DeploymentCode, "lost" | `taken-back${string}`>;

/** Whether a path is one of the agent's environment: a secret or a plain variable. */
export function isEnvironment(path: string): boolean {
  return ["secrets", "environmentVariables"].includes(path.split(".")[0]!);
}

/** What reasons are made from. */
interface Outcome {
  changes: DeploymentChange[];
  replaces: boolean;
  /** In a replacement: the new deployment is there before the old one is deleted. */
  createsFirst?: boolean;
  newRevision: boolean;
  resumesWait: boolean;
  afterFailure: boolean;
  lost?: LossCode;
}

/** One reason for each thing that will happen, in the order in which they are said. */
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
