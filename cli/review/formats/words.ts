import { shellWord } from "../../../provider/text/shell-word";
import { countsText } from "../../../provider/agent-server/counts";
import { formatDuration } from "../../../provider/text/duration";
import type { DeploymentReview, Interruption, ReviewAction, ReviewReport } from "../report";
import { changeBlocks, driftBlock } from "./change-words";
import { contentsLines } from "./contents-lines";
import { counted, line, listed, type Block, type Line } from "./line";

const actionTexts: Record<ReviewAction, string> = {
  replace: "is replaced (deleted first, then recreated)",
  delete: "is deleted",
  unclear: "changes, and the preview does not show how",
  "roll out": "gets a new revision and rolls out again",
  create: "is created",
  adopt: "adopts an existing deployment",
  wait: "continues to wait for a rollout that is still in progress",
  retain: "is no longer managed, and stays on the control plane",
  patch: "is patched without a new revision",
  record: "changes only in the Pulumi state",
  none: "does not change",
};

const summaries: Record<ReviewAction, string> = {
  replace: "replaced",
  delete: "deleted",
  unclear: "changed (details unknown)",
  "roll out": "rolled out again",
  create: "created",
  adopt: "adopted",
  wait: "waited for",
  retain: "left in place",
  patch: "patched without a rollout",
  record: "changed in state only",
  none: "unchanged",
};

/** Returns the number of deployments for each kind of change, such as `1 replaced, 2 created`. */
export function summaryOf({ deployments }: Pick<ReviewReport, "deployments">): string {
  const kinds = deployments.map(({ action, drift }) =>
    action === "none" && drift ? "drifted" : summaries[action],
  );
  const counts = [...new Set(kinds)].map((kind) => `${kinds.filter((one) => one === kind).length} ${kind}`);
  return counts.length > 0 ? counts.join(", ") : "no deployment changes";
}

/** Returns the description of the change to a deployment, without the deployment's name. */
export function describeAction(deployment: DeploymentReview): string {
  const { action, createsFirst, mayReplace, drift, approved } = deployment;
  if (action === "none" && drift)
    return drift.gone
      ? "no longer exists on the control plane"
      : "was changed outside Pulumi; this update does not revert the change";
  const approval = approved ? " (approved)" : "";
  if (mayReplace) return `${actionTexts[action]}, or is replaced: a value is not known yet${approval}`;
  if (createsFirst)
    return `is replaced (the new deployment is created before the old one is deleted)${approval}`;
  return `${actionTexts[action]}${approval}`;
}

/** True if the report contains anything about the deployment. */
export function isReportable({ action, drift, warnings }: DeploymentReview): boolean {
  return action !== "none" || drift !== undefined || warnings.length > 0;
}

/** Returns the name of the deployment in the program, and its name on the control plane if that is different. */
export function titleOf({ resource, name }: DeploymentReview): Line {
  return name === undefined || name === resource ? line`${resource}` : line`${resource} (${name})`;
}

/** Returns all information about a deployment, most severe first. */
export function blocksOf(deployment: DeploymentReview): Block[] {
  const { action, changes, secrets, notes, warnings, interruption, drift, expectedDuration, deploymentId } =
    deployment;
  const facts: Line[] = [
    ...(secrets.length > 0 ? [secretsLine(secrets, action)] : []),
    ...(expectedDuration ? [durationLine(expectedDuration)] : []),
    ...(deploymentId === undefined ? [] : [line`Deployment ID: ${deploymentId}`]),
    ...notes.map((note) => line`Note: ${note}`),
    ...warnings.map((warning) => line`Warning: ${warning}`),
  ];
  return [
    ...changeBlocks(changes),
    ...(interruption
      ? [{ title: interruptionLine(interruption, action), lines: contentsLines(interruption) }]
      : []),
    ...facts.map((title) => ({ title, lines: [] })),
    ...(drift ? [driftBlock(drift)] : []),
  ];
}

function secretsLine(secrets: string[], action: ReviewAction): Line {
  const names = listed(secrets.map((name) => line`${name}`));
  const later = action === "patch" ? "; they take effect with the next revision" : "";
  return line`${[action === "create" ? "Secrets" : "Secrets that change"]}: ${names}${[later]}`;
}

function interruptionLine({ known, why, activeRuns, ...held }: Interruption, action: ReviewAction): Line {
  const loses = action === "replace" || action === "delete";
  if (!known)
    return line`${[loses ? "The contents that will be lost are not known" : "The active runs are not known"]}: ${why ?? "not queried"}`;
  const runs = activeRuns === undefined ? undefined : counted(activeRuns, "active run");
  if (!loses) return [`In progress: ${runs ?? "unknown"}; a rollout may interrupt them`];
  const store = held.items === undefined ? ", and the store" : "";
  return [`Also deleted: ${[runs, countsText(held)].filter(Boolean).join(", ")}${store}`];
}

function durationLine({ ms, basis, rollouts }: NonNullable<DeploymentReview["expectedDuration"]>): Line {
  if (ms === undefined) return ["Expected duration: unknown"];
  const origin =
    basis === "last rollout" ? "the last rollout" : `median of ${counted(rollouts, "past rollout")}`;
  return [`Expected duration: ${ms < 1_000 ? "under 1s" : formatDuration(ms)} (${origin})`];
}

/** Returns the line about resources of other types, or `undefined` if none of them change. */
export function othersLine({ otherResources }: ReviewReport): string | undefined {
  const counts = Object.entries(otherResources);
  if (counts.length === 0) return undefined;
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const kinds = counts.map(([operation, count]) => `${count} ${operation}`).join(", ");
  return `${counted(total, "resource")} of other types: ${kinds}`;
}

/** Returns a line that explains why no facts were requested; `undefined` if the line is not necessary. */
export function notAskedLine({ notAsked, deployments }: ReviewReport): Line | undefined {
  if (notAsked === undefined || !deployments.some(({ interruption }) => interruption)) return undefined;
  return line`The active runs and the contents that will be lost are not known: ${notAsked}`;
}

/** Returns a line that states that policy results are missing; `undefined` if the line is not necessary. */
export function policiesLine({ policies, preview, stack }: ReviewReport): string | undefined {
  if (policies || !preview.failed) return undefined;
  const command =
    stack === undefined
      ? "`npx agentserver review` with --stack"
      : `\`npx agentserver review --stack ${shellWord(stack)}\``;
  return `Policies: unknown, because the output of \`pulumi preview --json\` does not contain policy results; ${command} shows them`;
}
