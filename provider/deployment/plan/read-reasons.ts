import { readLine, type ShownChange } from "../../resource/plan/read-line";
import { notes, type DeploymentCode, type Effect } from "./reasons";
import { words } from "./words";

/** A changed field, parsed from a log line. */
export interface PlannedChange extends ShownChange {
  effect: Effect | "along";
  /** True if the new value is unknown. */
  unknown?: true;
}

/** Summary of the plan in a log line. */
export interface PlanSummary {
  replaces: boolean;
  /** True if the new deployment is created before the old one is deleted. */
  createsFirst: boolean;
  /** True if a new revision is created because the last rollout failed. */
  afterFailure: boolean;
  resumesWait: boolean;
  /** True if another resource owns the deployment, so that the update will be rejected. */
  lost: boolean;
  /** Set if this resource reclaims the deployment from another one; specifies whether that alone creates a revision. */
  takenBack?: "with-revision" | "without-revision";
  changes: PlannedChange[];
  /** Number of reasons in the line that this release recognizes. */
  known: number;
  /** Reasons in the line that this release does not recognize. */
  unread: string[];
}

/** Reads the log line of a deployment's plan. Never throws. */
export function readReasons(line: string): PlanSummary {
  const { reasons, unread } = readLine<DeploymentCode>(line, { words, notes });
  const codes = new Set(reasons.map(({ code }) => code));
  return {
    replaces: codes.has("replace") || codes.has("replace-create-first"),
    createsFirst: codes.has("replace-create-first"),
    afterFailure: codes.has("after-failure"),
    resumesWait: codes.has("resumes-wait"),
    lost: codes.has("lost"),
    ...(codes.has("taken-back") && { takenBack: "without-revision" as const }),
    ...(codes.has("taken-back-with-revision") && { takenBack: "with-revision" as const }),
    changes: reasons.flatMap(({ code, changes }) =>
      changes.map((change) => ({ ...change, ...effectOf(code) })),
    ),
    known: reasons.length,
    unread,
  };
}

function effectOf(code: DeploymentCode): Pick<PlannedChange, "effect" | "unknown"> {
  if (code === "replace-create-first") return { effect: "replace" };
  const effect = code.replace("?", "") as PlannedChange["effect"];
  return code.endsWith("?") ? { effect, unknown: true } : { effect };
}
