import { dynamicType } from "../../../provider/resource/ownership/type-token";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Facts } from "../../../cli/review/facts/facts";
import type { Gates } from "../../../cli/review/gates";
import type { PreviewedResource, Preview } from "../../../cli/review/preview/preview";
import { readPreview } from "../../../cli/review/preview/read";
import type { ReviewReport } from "../../../cli/review/report";
import { review } from "../../../cli/review/review";

/** Previews that were recorded from the real engine. */
export type RecordedPreview = "create" | "mixed" | "policy" | "refresh" | "broken" | "checkfail";

/** Returns a recorded preview in one of the two formats of the engine. */
export function recorded(name: RecordedPreview, form: "digest" | "events"): string {
  const extension = form === "digest" ? "json" : "events.jsonl";
  return readFileSync(join(__dirname, "fixtures", `${name}.${extension}`), "utf8");
}

const openGates: Gates = { failOn: [], approvedReplacements: [] };

interface Circumstances {
  gates?: Partial<Gates>;
  facts?: Facts;
  redact?: (text: string) => string;
}

/** Returns the report of a preview, without sending requests to servers. */
export function reportOf(preview: Preview, circumstances: Circumstances = {}): ReviewReport {
  const { gates, facts = { unknown: "no server responds" }, redact = (text) => text } = circumstances;
  return review(preview, { facts, gates: { ...openGates, ...gates }, redact });
}

/** Returns the report of a recorded preview. */
export function recordedReport(
  name: RecordedPreview,
  form: "digest" | "events",
  circumstances?: Circumstances,
): ReviewReport {
  return reportOf(readPreview(recorded(name, form)), circumstances);
}

/** Returns the URN of a deployment. */
export function urnOf(name: string): string {
  return `urn:pulumi:prod::agents::${dynamicType("Deployment")}::${name}`;
}

/** Returns a deployment that a preview updates. `reasons` is the text of its plan. */
export function updated(
  name: string,
  reasons?: string,
  change: Partial<PreviewedResource> = {},
): PreviewedResource {
  return {
    urn: urnOf(name),
    type: dynamicType("Deployment"),
    operation: "update",
    before: { id: `${name}-id`, inputs: { name }, outputs: {} },
    after: { inputs: { name }, outputs: {} },
    ...(reasons !== undefined && { reasons }),
    replaceReasons: [],
    ...change,
  };
}

/** Returns a preview that succeeded. */
export function previewOf(resources: PreviewedResource[], change: Partial<Preview> = {}): Preview {
  return { failed: false, errors: [], warnings: [], promotions: [], resources, refreshed: false, ...change };
}
