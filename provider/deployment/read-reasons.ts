import { readLine, type ShownChange } from "../resource/plan/read-line";
import { firstWords } from "./first-words";
import { notes, type DeploymentCode, type Effect } from "./reasons";
import { words } from "./words";

/** One changed field as a line of the log shows it. */
export interface PlannedChange extends ShownChange {
  effect: Effect | "along";
  /** The new value is not known yet. */
  unknown?: true;
}

/** A plan as a line of the log shows it. */
export interface PlanSummary {
  replaces: boolean;
  /** A new revision is made because the last rollout failed. */
  afterFailure: boolean;
  resumesWait: boolean;
  changes: PlannedChange[];
  /** How many reasons were understood. */
  known: number;
  /** Reasons in the line that this release does not know. */
  unread: string[];
}

/** Reads the line that a deployment's plan leaves in the log, whichever release wrote it. Never throws. */
export function readReasons(line: string): PlanSummary {
  const { reasons, unread } = readLine<DeploymentCode>(line, { words, notes, firstWords });
  const codes = new Set(reasons.map(({ code }) => code));
  return {
    replaces: codes.has("replace"),
    afterFailure: codes.has("after-failure"),
    resumesWait: codes.has("resumes-wait"),
    changes: reasons.flatMap(({ code, changes }) =>
      changes.map((change) => ({ ...change, ...effectOf(code) })),
    ),
    known: reasons.length,
    unread,
  };
}

function effectOf(code: DeploymentCode): Pick<PlannedChange, "effect" | "unknown"> {
  const effect = code.replace("?", "") as PlannedChange["effect"];
  return code.endsWith("?") ? { effect, unknown: true } : { effect };
}
