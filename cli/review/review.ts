import { approvalsOf } from "./approvals";
import { reviewDeployment } from "./deployment";
import type { Facts } from "./facts/facts";
import { failuresOf, type Gates } from "./gates";
import { withoutCredentials } from "../../provider/text/address-credentials";
import { partsOfUrn } from "../../provider/resource/ownership/urn";
import { typeNameOf } from "../../provider/resource/ownership/type-token";
import { isDeployment, type Preview, type PreviewedResource } from "./preview/preview";
import {
  resourceActions,
  reviewActions,
  type DeploymentReview,
  type ResourceReview,
  type ReviewReport,
} from "./report";
import { reviewResource } from "./resource";

/** Inputs of a review, in addition to the preview. */
export interface ReviewOptions {
  facts: Facts;
  gates: Gates;
  /** The project's folder, if it is inside the folder of the review. */
  folder?: string;
  /** Redacts secrets that the preview unexpectedly contains. */
  redact: (text: string) => string;
}

/**
 * Returns the report for a preview. Pure function: the same preview and facts result in the same report, regardless of
 * the engine's order.
 */
export function review(preview: Preview, { facts, gates, folder, redact }: ReviewOptions): ReviewReport {
  const known = "known" in facts ? facts.known : new Map<string, never>();
  const warningsOf = ({ urn }: PreviewedResource) =>
    preview.warnings.filter((one) => one.urn === urn).map(({ message }) => message);
  const { urns: approved, isAmbiguous } = approvalsOf(preview.resources, gates.approvedReplacements);
  const found = preview.resources.filter(isDeployment);
  const inside = preview.resources.filter(isOther);
  const deployments = found
    .map((resource) =>
      reviewDeployment(resource, {
        facts: known.get(resource.urn),
        ...("unknown" in facts && { factsUnknown: "no control plane was queried" }),
        madeAgain: namesOfKept(inside),
        warnings: warningsOf(resource),
        approved,
        redact,
      }),
    )
    .sort(bySeverity);
  const names = new Map(
    found.flatMap(({ urn, before }) => (before?.id ? [[before.id, partsOfUrn(urn).name]] : [])),
  );
  const resources = inside
    .map((resource) =>
      reviewResource(resource, { warnings: warningsOf(resource), approved, deployments: names, redact }),
    )
    .sort(byResourceSeverity);
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
      // If a policy was violated, the engine's own message is omitted, because the result of the policy is more
      // specific.
      errors: preview.errors
        .filter(({ message }) => !(isForbidden && message === "preview failed"))
        .map(({ urn, message }) => ({ ...(urn && { resource: partsOfUrn(urn).name }), message })),
      refreshed: preview.refreshed,
    },
    deployments,
    resources,
    otherResources: othersOf(preview),
    ...(preview.promotions.length > 0 && { promotions: [...new Set(preview.promotions)].sort(compare) }),
    rollouts: deployments.filter(({ rollsOut }) => rollsOut).length,
    ...("unknown" in facts && { notAsked: facts.unknown }),
    ...(policies && { policies: policies.sort(byPlace) }),
    failures: [],
  };
  return cleaned({ ...report, failures: failuresOf(report, gates, isAmbiguous) }, redact);
}

function bySeverity(a: DeploymentReview, b: DeploymentReview): number {
  const severity = ({ action, mayReplace, drift }: DeploymentReview) =>
    mayReplace ? 1.5 : action === "none" && drift ? 8.5 : reviewActions.indexOf(action);
  return severity(a) - severity(b) || compare(a.urn, b.urn);
}

function byResourceSeverity(a: ResourceReview, b: ResourceReview): number {
  const severity = ({ action, mayReplace, drift }: ResourceReview) =>
    mayReplace ? 0.5 : action === "none" && drift ? 6.5 : resourceActions.indexOf(action);
  return severity(a) - severity(b) || compare(a.urn, b.urn);
}

/** True if the resource belongs to this provider and is not a deployment. */
function isOther(resource: PreviewedResource): boolean {
  return !isDeployment(resource) && typeNameOf(resource.type) !== undefined;
}

/** Returns the resources that still exist after the update: their names in the program, keyed by ID. */
function namesOfKept(resources: PreviewedResource[]): ReadonlyMap<string, string> {
  const kept = resources.filter(({ operation }) => operation !== "delete");
  return new Map(kept.flatMap(({ urn, before }) => (before?.id ? [[before.id, partsOfUrn(urn).name]] : [])));
}

function byPlace(a: { level: string; urn?: string; policy: string; message: string }, b: typeof a): number {
  const levels = ["mandatory", "remediated", "advisory"];
  const key = (one: typeof a) =>
    JSON.stringify([levels.indexOf(one.level), one.urn ?? "", one.policy, one.message]);
  return compare(key(a), key(b));
}

/** Compares strings by code units, because a locale-specific order would depend on the machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const uncounted = ["pulumi:pulumi:Stack"];

/** Counts the changes to resources of other types by operation. Excludes the stack itself and providers. */
function othersOf({ resources }: Preview): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type, operation } of resources) {
    if (typeNameOf(type) !== undefined || uncounted.includes(type) || type.startsWith("pulumi:providers:"))
      continue;
    if (operation === "same" || operation === "read") continue;
    counts[operation] = (counts[operation] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => compare(a, b)));
}

/**
 * Properties of the report with predefined values. These values must not be redacted even if they occur in a secret.
 */
const ownWords = new Set(["action", "effect", "gate", "basis", "level", "kind"]);

/** Removes known secrets, and the credentials in URLs, from every string in a value. */
function cleaned<Value>(value: Value, redact: (text: string) => string): Value {
  const clean = (item: unknown): unknown => {
    if (typeof item === "string") return withoutCredentialsInAddresses(redact(item));
    if (Array.isArray(item)) return item.map(clean);
    if (typeof item !== "object" || item === null) return item;
    return Object.fromEntries(
      Object.entries(item).map(([key, one]) => [key, ownWords.has(key) ? one : clean(one)]),
    );
  };
  return clean(value) as Value;
}

function withoutCredentialsInAddresses(text: string): string {
  return text.replace(/[a-z][a-z0-9+.-]{0,30}:\/\/\S+/gi, withoutCredentials);
}
