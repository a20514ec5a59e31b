import { agentInputs } from "../../provider/deployment/inputs/identity";
import type { Props } from "../../provider/resource/inputs/values";
import { inputsIn } from "../../provider/deployment/state";
import { readReasons, type PlanSummary } from "../../provider/deployment/plan/read-reasons";
import { notes, type DeploymentCode } from "../../provider/deployment/plan/reasons";
import { words } from "../../provider/deployment/plan/words";
import { initialInputs, secretNames, plannedChanges } from "./changes";
import { driftOf } from "./drift";
import { expectedDuration } from "./expected-duration";
import type { DeploymentFacts } from "./facts/facts";
import { partsOfUrn } from "../../provider/resource/ownership/urn";
import type { PreviewedResource } from "./preview/preview";
import { plainText } from "./preview/values";
import type { DeploymentReview, Held, Interruption, ReviewAction, ReviewChange } from "./report";
import { positionOf } from "./source-position";

const rollingOut: readonly ReviewAction[] = ["replace", "unclear", "roll out", "create", "adopt"];
const interrupting: readonly ReviewAction[] = ["replace", "delete", "unclear", "roll out"];

/** Actions that delete everything in a deployment. */
export const losingActions: readonly ReviewAction[] = ["replace", "delete"];

/** Information for the review of a deployment, in addition to the preview. */
export interface Context {
  facts?: DeploymentFacts;
  /** Reason that the facts about the deployment are not known. */
  factsUnknown?: string;
  /** Warnings about this deployment in the preview. */
  warnings?: readonly string[];
  /** Resources that still exist after the update: their names in the program, keyed by ID. */
  madeAgain: ReadonlyMap<string, string>;
  /** URNs of the resources whose replacement was approved. */
  approved: ReadonlySet<string>;
  /** Redacts secrets that the preview unexpectedly contains. */
  redact: (text: string) => string;
}

/** Returns the review of one deployment. Pure function. */
export function reviewDeployment(found: PreviewedResource, context: Context): DeploymentReview {
  const { facts, approved, redact } = context;
  const plan = readReasons(found.reasons ?? "");
  const action = actionOf(found, plan, facts);
  const changes = changesOf(found, plan, redact);
  const resource = partsOfUrn(found.urn).name;
  const name = namesOf(found)[0];
  const deploymentId =
    found.before?.id ?? (action === "adopt" && facts?.holder ? facts.holder.id : undefined);
  const mayReplace =
    action !== "replace" && plan.changes.some(({ effect, unknown }) => effect === "replace" && unknown);
  const drift = driftOf<DeploymentCode>(found.refresh, { words, notes });
  const position = positionOf(found.after?.sourcePosition ?? found.before?.sourcePosition);
  const rollsOut = rollingOut.includes(action);
  return {
    resource,
    urn: found.urn,
    ...(name !== undefined && { name }),
    ...(deploymentId !== undefined && { deploymentId }),
    action,
    ...(action === "replace" && plan.createsFirst && { createsFirst: true }),
    mayReplace,
    approved: (action === "replace" || mayReplace) && approved.has(found.urn),
    rollsOut,
    changes,
    secrets: secretNames(changes),
    notes: notesOf(found, plan, action, context),
    warnings: [...new Set(context.warnings)],
    ...(interrupting.includes(action) && { interruption: interruptionOf(action, context) }),
    ...(drift && { drift }),
    ...(rollsOut && { expectedDuration: expectedDuration(facts?.rolloutsMs, found.before?.outputs) }),
    ...(position && { sourcePosition: position }),
  };
}

/** Returns the names of a deployment on the control plane: the new name, followed by the previous one. */
export function namesOf({ before, after }: PreviewedResource): string[] {
  return [after, before].map((state) => nameIn(state?.inputs)).filter((name) => name !== undefined);
}

/** Returns the name of a deployment, or its agent and environment in the format `support (production)`. */
function nameIn(inputs: Props | undefined): string | undefined {
  const agent = agentInputs.safeParse(inputs?.["agent"]).data;
  return agent ? `${agent.agentId} (${agent.environment})` : plainText(inputs?.["name"]);
}

function actionOf(
  { operation, before, after }: PreviewedResource,
  plan: PlanSummary,
  facts: DeploymentFacts | undefined,
): ReviewAction {
  if (operation === "same" || operation === "read") return "none";
  if (operation === "create") return adopts(after?.inputs.adopt, facts) ? "adopt" : "create";
  if (operation === "delete" && before?.retainOnDelete) return "retain";
  if (operation !== "update") return operation;
  const has = (effect: string) => plan.changes.some((change) => change.effect === effect);
  if (plan.replaces) return "replace";
  if (plan.afterFailure || has("revision") || plan.takenBack === "with-revision") return "roll out";
  if (plan.unread.length > 0) return "unclear";
  if (plan.resumesWait) return "wait";
  if (has("patch") || plan.takenBack) return "patch";
  if (has("replace")) return "unclear";
  if (plan.lost && plan.known === 1) return "none";
  return plan.known > 0 ? "record" : "unclear";
}

function adopts(adopt: unknown, facts: DeploymentFacts | undefined): boolean {
  if (!facts?.holder || adopt === "never") return false;
  return facts.holder.isOwn || adopt === "always";
}

function changesOf(found: PreviewedResource, plan: PlanSummary, redact: Context["redact"]): ReviewChange[] {
  if (found.operation === "create") return initialInputs(inputsIn(found.after?.inputs ?? {}), redact);
  if (found.operation !== "update" && found.operation !== "replace") return [];
  const changes = plannedChanges(plan.changes);
  if (found.operation === "update" || plan.replaces) return changes;
  // The engine replaces the resource for a reason that is not in the plan, such as a resource option.
  const causes = found.replaceReasons.map((path): ReviewChange => ({
    path,
    effect: "replace",
    unknown: false,
    hidden: true,
  }));
  return [...causes, ...changes.map((change): ReviewChange => ({ ...change, effect: "along" }))];
}

function notesOf(
  found: PreviewedResource,
  plan: PlanSummary,
  action: ReviewAction,
  { facts }: Context,
): string[] {
  const notes = [...plan.unread, ...(found.remarks ?? [])];
  if (plan.afterFailure) notes.push("its last rollout failed");
  if (plan.lost) notes.push("another Pulumi resource now owns it, so the update will fail");
  if (plan.takenBack) notes.push("it is reclaimed from another Pulumi resource, which currently owns it");
  if (action === "unclear" && plan.unread.length === 0) notes.push("the preview reports no reason");
  if (action === "replace" && !plan.replaces)
    notes.push("the Pulumi engine, not the provider, requires the replacement; check the resource options");
  if (found.operation === "create" && action === "create") notes.push(...nameNotes(found, facts));
  return notes;
}

function nameNotes({ after }: PreviewedResource, facts: DeploymentFacts | undefined): string[] {
  if (facts?.holder)
    return [
      `the name is used by ${facts.holder.id}, which this resource does not own, so the update will fail`,
    ];
  if (!facts && after?.inputs.adopt === "always")
    return ["if a deployment with this name exists, it is adopted"];
  return [];
}

function interruptionOf(action: ReviewAction, { facts, factsUnknown, madeAgain }: Context): Interruption {
  const counts = facts?.counts;
  if (!counts) return { known: false, why: factsUnknown ?? "its agent server was not queried" };
  if ("unknown" in counts) return { known: false, why: counts.unknown };
  const { activeRuns, ownAssistants: _, ...lasting } = counts;
  const runs = activeRuns !== undefined && { activeRuns };
  if (!losingActions.includes(action)) return { known: true, ...runs };
  const held = facts.names?.held.map((one): Held => {
    const resource = madeAgain.get(one.id);
    return { ...one, ...(resource !== undefined && { resource }) };
  });
  const namespaces = facts.names?.namespaces;
  return { known: true, ...runs, ...lasting, ...(held && { held }), ...(namespaces && { namespaces }) };
}
