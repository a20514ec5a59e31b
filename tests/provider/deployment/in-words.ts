import type { DeploymentCode } from "../../../provider/deployment/plan/reasons";
import { words } from "../../../provider/deployment/plan/words";
import type { Reason } from "../../../provider/resource/plan";
import { inWords, logLine } from "../../../provider/resource/plan/log-line";

const asItIs = (text: string) => text;

/** Returns the reasons in a deployment's plan as strings, for plans without secrets. */
export function said(reasons: Reason<DeploymentCode>[]): string[] {
  return reasons.map((reason) => inWords(reason, words, asItIs));
}

/** Returns the log line of a deployment's plan, for plans without secrets. */
export function lineOf(reasons: Reason<DeploymentCode>[]): string {
  return logLine(reasons, words, asItIs);
}
