import { counted } from "./formats/line";
import type { ReviewFailure, ReviewReport } from "./report";

/** Valid values of `--fail-on`. */
export const gateNames = ["replace", "delete", "drift", "policy"] as const;

export type GateName = (typeof gateNames)[number];

/** Conditions under which a review fails. */
export interface Gates {
  failOn: readonly GateName[];
  /** Maximum number of deployments that may be rolled out; unlimited if undefined. */
  maxRollouts?: number;
  /** Resources that may be replaced: the `NAME` of a deployment, `KIND:NAME`, or a URN. */
  approvedReplacements: readonly string[];
}

/**
 * Kinds of resources that lose data when they are deleted. Assistants and crons are not included, because they are
 * fully declared in the program.
 */
const kindsWithData = ["Thread", "StoreItem", "StoreItems"];

/** Returns the reasons that a report does not pass. A failed preview never passes. */
export function failuresOf(
  report: ReviewReport,
  { failOn, maxRollouts }: Gates,
  isAmbiguous = false,
): ReviewFailure[] {
  const failures: ReviewFailure[] = [];
  const isForbidden = (report.policies ?? []).some(({ level }) => level === "mandatory");
  if (report.preview.failed)
    failures.push({
      gate: "preview",
      message: isForbidden ? "the preview failed: a mandatory policy is violated" : "the preview failed",
    });
  const fail = (gate: GateName, message: string, resource?: string) => {
    if (failOn.includes(gate)) failures.push({ gate, message, ...(resource !== undefined && { resource }) });
  };
  for (const { action, mayReplace, approved, drift, resource } of report.deployments) {
    if (action === "replace" && !approved) fail("replace", "is replaced without approval", resource);
    if (mayReplace && !approved) fail("replace", "may be replaced without approval", resource);
    if (action === "delete") fail("delete", "is deleted", resource);
    if (drift)
      fail("drift", drift.gone ? "was deleted outside Pulumi" : "was changed outside Pulumi", resource);
  }
  for (const { action, mayReplace, approved, changes, drift, resource, kind } of report.resources) {
    if (kindsWithData.includes(kind) && !approved) {
      if (action === "replace") fail("replace", "is replaced without approval", resource);
      if (mayReplace) fail("replace", "may be replaced without approval", resource);
    }
    if (kindsWithData.includes(kind) && action === "delete") fail("delete", "is deleted", resource);
    if (changes.some(({ effect }) => effect === "remove")) fail("delete", "deletes items", resource);
    if (drift)
      fail("drift", drift.gone ? "was deleted outside Pulumi" : "was changed outside Pulumi", resource);
  }
  if (isAmbiguous)
    fail(
      "replace",
      "an approved name matches several resources, so it approves none of them; approve a URN instead",
    );
  if (!report.preview.refreshed && !report.preview.failed)
    fail("drift", "the preview did not check for drift: run it with --refresh");
  if (!report.policies && !report.preview.failed)
    fail("policy", "this preview format does not include policy results; use --stack");
  for (const { level, policy, resource } of report.policies ?? [])
    if (level === "mandatory") fail("policy", `violates the policy ${policy}`, resource);
  if (maxRollouts !== undefined && report.rollouts > maxRollouts)
    failures.push({
      gate: "rollouts",
      message: `the update rolls out ${counted(report.rollouts, "deployment")}, but the limit is ${maxRollouts}`,
    });
  return failures;
}

/** Exit codes of a review, in addition to those of all commands. */
const reviewExitCodes = { passed: 0, gateFailed: 2, previewFailed: 3 } as const;

/**
 * Returns the exit code for a report. A failed gate takes precedence over a preview that failed for the same reason.
 */
export function exitCodeFor({ failures, preview }: ReviewReport): number {
  if (preview.failed && !isPolicyAlone(failures, preview.errors)) return reviewExitCodes.previewFailed;
  return failures.length > 0 ? reviewExitCodes.gateFailed : reviewExitCodes.passed;
}

/**
 * True if the preview failed only because of a policy violation. In that case, the engine does not report any other
 * error.
 */
function isPolicyAlone(failures: ReviewFailure[], errors: unknown[]): boolean {
  return failures.some(({ gate }) => gate === "policy") && errors.length === 0;
}
