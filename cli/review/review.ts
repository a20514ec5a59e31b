import { reviewDeployment } from "./deployment";
import type { Facts } from "./facts/facts";
import { failuresOf, type Gates } from "./gates";
import { partsOfUrn } from "../../provider/resource/urn";
import { deploymentType, type Preview } from "./preview/preview";
import { cleaned } from "./redaction";
import { reviewActions, type DeploymentReview, type ReviewReport } from "./report";

/** What decides over a review besides the preview. */
export interface ReviewOptions {
  facts: Facts;
  gates: Gates;
  /** The project's folder, where it is one below that of the review. */
  folder?: string;
  /** Takes out secrets that must not be there, but could. */
  redact: (text: string) => string;
}

/** The report of a preview. Pure: the same preview and facts give the same report, in whatever order the engine worked. */
export function review(preview: Preview, { facts, gates, folder, redact }: ReviewOptions): ReviewReport {
  const known = "known" in facts ? facts.known : new Map<string, never>();
  const deployments = preview.resources
    .filter(({ type }) => type === deploymentType)
    .map((resource) =>
      reviewDeployment(resource, {
        facts: known.get(resource.urn),
        ...("unknown" in facts && { factsUnknown: "no control plane was asked" }),
        warnings: preview.warnings.filter(({ urn }) => urn === resource.urn).map(({ message }) => message),
        approved: gates.approvedReplacements,
        redact,
      }),
    )
    .sort(byGravity);
  const place = partsOfUrn(preview.resources[0]?.urn ?? "");
  const isForbidden = preview.policies?.some(({ level }) => level === "mandatory") ?? false;
  const policies = preview.policies?.map(({ urn, ...rest }) => ({
    ...rest,
    ...(urn && { resource: partsOfUrn(urn).name, urn }),
  }));
  const report: ReviewReport = {
    version: 1,
    ...(place.project && { project: place.project }),
    ...(place.stack && { stack: place.stack }),
    ...(folder && { folder }),
    preview: {
      failed: preview.failed,
      // The engine's own word on a violated policy; the policy says more.
      errors: preview.errors
        .filter(({ message }) => !(isForbidden && message === "preview failed"))
        .map(({ urn, message }) => ({ ...(urn && { resource: partsOfUrn(urn).name }), message })),
      refreshed: preview.refreshed,
    },
    deployments,
    otherResources: othersOf(preview),
    rollouts: deployments.filter(({ rollsOut }) => rollsOut).length,
    ...("unknown" in facts && { notAsked: facts.unknown }),
    ...(policies && { policies: policies.sort(byPlace) }),
    failures: [],
  };
  return cleaned({ ...report, failures: failuresOf(report, gates) }, redact);
}

function byGravity(a: DeploymentReview, b: DeploymentReview): number {
  const gravity = ({ action, mayReplace, drift }: DeploymentReview) =>
    mayReplace ? 1.5 : action === "none" && drift ? 8.5 : reviewActions.indexOf(action);
  return gravity(a) - gravity(b) || compare(a.urn, b.urn);
}

function byPlace(a: { level: string; urn?: string; policy: string; message: string }, b: typeof a): number {
  const levels = ["mandatory", "remediated", "advisory"];
  const key = (one: typeof a) =>
    JSON.stringify([levels.indexOf(one.level), one.urn ?? "", one.policy, one.message]);
  return compare(key(a), key(b));
}

/** By code units: a locale would make the order depend on the machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const uncounted = ["pulumi:pulumi:Stack"];

/** The rest of the stack, without the stack itself and its providers. */
function othersOf({ resources }: Preview): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type, operation } of resources) {
    if (type === deploymentType || uncounted.includes(type) || type.startsWith("pulumi:providers:")) continue;
    if (operation === "same" || operation === "read") continue;
    counts[operation] = (counts[operation] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => compare(a, b)));
}
