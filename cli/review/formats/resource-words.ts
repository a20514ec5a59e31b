import type { ResourceAction, ResourceReview, ReviewReport } from "../report";
import { changeBlocks, driftBlock } from "./change-words";
import { line, type Block, type Line } from "./line";

const actionTexts: Record<ResourceAction, string> = {
  replace: "is replaced (deleted and recreated)",
  delete: "is deleted",
  unclear: "changes, and the preview does not show how",
  create: "is created",
  retain: "is no longer managed, and stays on the agent server",
  change: "is changed",
  record: "changes only in the Pulumi state",
  none: "does not change",
};

const summaries: Record<ResourceAction, string> = {
  replace: "replaced",
  delete: "deleted",
  unclear: "changed (details unknown)",
  create: "created",
  retain: "left in place",
  change: "changed",
  record: "changed in state only",
  none: "unchanged",
};

/**
 * Returns the number of resources for each kind of change, such as `2 created, 1 changed`, or `undefined` if there is
 * nothing to report.
 */
export function resourcesSummary(resources: readonly ResourceReview[]): string | undefined {
  const reportable = resources.filter(isResourceReportable);
  const kinds = reportable.map(({ action, drift }) =>
    action === "none" && drift ? "drifted" : summaries[action],
  );
  const counts = [...new Set(kinds)].map((kind) => `${kinds.filter((one) => one === kind).length} ${kind}`);
  return counts.length > 0 ? counts.join(", ") : undefined;
}

/** True if the report contains anything about the resource. */
export function isResourceReportable({ action, drift, warnings }: ResourceReview): boolean {
  return action !== "none" || drift !== undefined || warnings.length > 0;
}

/** Returns the heading of the section about resources that are not deployments. */
export function resourcesHeading({ resources }: ReviewReport): string | undefined {
  const summary = resourcesSummary(resources);
  return summary && `Other agent server resources: ${summary}`;
}

/**
 * Returns the kind of the resource, its name in the program, and the name that users see: `Cron report (0 9 * * *)`.
 */
export function resourceTitle({ kind, resource, name, deployment }: ResourceReview): Line {
  const known: Line = name === undefined || name === resource ? [] : line` (${name})`;
  const place: Line = deployment === undefined ? [] : line` in ${deployment}`;
  const noun: Line = /^[A-Z][A-Za-z]*$/.test(kind) ? [kind] : line`${kind}`;
  return [...noun, ...line` ${resource}`, ...known, ...place];
}

/** Returns the description of the change to a resource, without the resource's name. */
export function resourceHappening({ action, mayReplace, drift, approved }: ResourceReview): string {
  if (action === "none" && drift)
    return drift.gone
      ? "no longer exists on the agent server"
      : "was changed outside Pulumi; this update does not revert the change";
  const approval = approved ? " (approved)" : "";
  if (mayReplace) return `${actionTexts[action]}, or is replaced: a value is not known yet${approval}`;
  return `${actionTexts[action]}${approval}`;
}

/** Returns all information about a resource, most severe first. */
export function resourceBlocks({ changes, notes, warnings, drift }: ResourceReview): Block[] {
  const facts = [
    ...notes.map((note) => line`Note: ${note}`),
    ...warnings.map((warning) => line`Warning: ${warning}`),
  ];
  return [
    ...changeBlocks(changes, "Sent without a replacement"),
    ...facts.map((title) => ({ title, lines: [] })),
    ...(drift ? [driftBlock(drift)] : []),
  ];
}
