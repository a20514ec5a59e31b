import { commonNotes, commonWords, type CommonCode, type CommonEffect } from "../../provider/resource/plan";
import { typeNameOf } from "../../provider/resource/ownership/type-token";
import { readLine } from "../../provider/resource/plan/read-line";
import { partsOfUrn } from "../../provider/resource/ownership/urn";
import { at, type Props } from "../../provider/resource/inputs/values";
import { initialInputs, plannedChanges } from "./changes";
import { driftOf } from "./drift";
import type { PreviewedResource } from "./preview/preview";
import { plainText } from "./preview/values";
import type { ResourceAction, ResourceReview, ReviewChange } from "./report";
import { positionOf } from "./source-position";

/** Information for the review of a resource, in addition to the preview. */
interface Context {
  /** Warnings about this resource in the preview. */
  warnings: readonly string[];
  /** URNs of the resources whose replacement was approved. */
  approved: ReadonlySet<string>;
  /** Deployments in the preview: their names in the program, keyed by ID. */
  deployments: ReadonlyMap<string, string>;
  /** Redacts secrets that the preview unexpectedly contains. */
  redact: (text: string) => string;
}

/** Returns the review of one resource that is not a deployment. Pure function. */
export function reviewResource(found: PreviewedResource, context: Context): ResourceReview {
  const plan = planIn(found.reasons);
  const { replaces, changes: planned, unread } = plan;
  const action = actionOf(found, plan);
  const mayReplace =
    action !== "replace" && planned.some(({ effect, unknown }) => effect === "replace" && unknown);
  const resource = partsOfUrn(found.urn).name;
  const name = nameIn(found.after?.inputs) ?? nameIn(found.before?.inputs);
  const place = at((found.after ?? found.before)?.inputs ?? {}, "deployment.id");
  const deployment = typeof place === "string" ? context.deployments.get(place) : undefined;
  const drift = driftOf<CommonCode>(found.refresh, vocabulary);
  const position = positionOf(found.after?.sourcePosition ?? found.before?.sourcePosition);
  return {
    resource,
    urn: found.urn,
    kind: typeNameOf(found.type)!,
    ...(name !== undefined && { name }),
    ...(found.before?.id !== undefined && { id: found.before.id }),
    ...(deployment !== undefined && { deployment }),
    action,
    mayReplace,
    approved: (action === "replace" || mayReplace) && context.approved.has(found.urn),
    changes: found.operation === "create" ? created(found.after?.inputs, context.redact) : planned,
    notes: [
      ...plan.notes.map((code) => commonWords[code]),
      ...unread,
      ...(found.remarks ?? []),
      ...engineNotes(found, action, replaces),
    ],
    warnings: [...new Set(context.warnings)],
    ...(drift && { drift }),
    ...(position && { sourcePosition: position }),
  };
}

/** A plan, as parsed from a log line. */
interface PlanRead {
  replaces: boolean;
  changes: ReviewChange[];
  /** Codes of reasons that are not about a field. */
  notes: CommonCode[];
  /** Reasons that this release cannot parse, as text. */
  unread: string[];
}

const vocabulary = { words: commonWords, notes: commonNotes };

function planIn(line: string | undefined): PlanRead {
  const { reasons, unread } = readLine<CommonCode>(line ?? "", vocabulary);
  const changes = reasons.flatMap(({ code, changes: shown }) =>
    plannedChanges(
      shown.map((change) => ({
        ...change,
        effect: code.replace("?", "") as CommonEffect | "along",
        ...(code.endsWith("?") && { unknown: true as const }),
      })),
    ),
  );
  const notes = commonNotes.filter((note) => reasons.some(({ code }) => code === note));
  return { replaces: reasons.some(({ code }) => code === "replace"), changes, notes, unread };
}

function actionOf(
  { operation, before }: PreviewedResource,
  { replaces, changes, notes, unread }: PlanRead,
): ResourceAction {
  if (operation === "same" || operation === "read") return "none";
  if (operation === "delete" && before?.retainOnDelete) return "retain";
  if (operation !== "update") return operation;
  if (replaces) return "replace";
  if (unread.length > 0 || (changes.length === 0 && notes.length === 0)) return "unclear";
  const isSent = notes.includes("renamed") || changes.some(({ effect }) => effect !== "state");
  return isSent ? "change" : "record";
}

/**
 * Inputs that are not listed for a created resource, because they locate the resource or were added by the provider.
 */
const besides = ["deployment", "connection", "ownerId", "schemaVersion", "itemHashes"];

function created(inputs: Props = {}, redact: Context["redact"]): ReviewChange[] {
  const written = Object.entries(inputs).filter(([name]) => !besides.includes(name));
  return initialInputs(Object.fromEntries(written), redact);
}

function engineNotes(
  { replaceReasons }: PreviewedResource,
  action: ResourceAction,
  replaces: boolean,
): string[] {
  if (action === "unclear") return ["the preview reports no reason"];
  if (action !== "replace" || replaces) return [];
  const causes = replaceReasons.length > 0 ? ` (${replaceReasons.join(", ")})` : "";
  return [
    `the Pulumi engine, not the provider, requires the replacement${causes}; check the resource options`,
  ];
}

/** Returns the name that users see on the agent server: the name of an assistant, or the schedule of a cron. */
function nameIn(inputs: Props | undefined): string | undefined {
  return plainText(inputs?.["name"]) ?? plainText(inputs?.["schedule"]);
}
