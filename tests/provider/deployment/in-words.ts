import type { DeploymentCode } from "../../../provider/deployment/plan/reasons";
import { words } from "../../../provider/deployment/plan/words";
import type { Reason } from "../../../provider/resource/plan";
import { inWords, logLine } from "../../../provider/resource/plan/log-line";

const asItIs = (text: string) => text;

/** The reasons of a deployment's plan as people read them, where no secret is in them. */
export function said(reasons: Reason<DeploymentCode>[]): string[] {
  return reasons.map((reason) => inWords(reason, words, asItIs));
}

/** The line that a deployment's plan leaves in the log, where no secret is in it. */
export function lineOf(reasons: Reason<DeploymentCode>[]): string {
  return logLine(reasons, words, asItIs);
}
