import { partsOfUrn } from "../../../provider/resource/ownership/urn";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { promotionSentence } from "../../../provider/promotion/decide";
import { operationOf } from "./operations";
import type { Preview, PreviewedResource, PreviewMessage, ResourceState } from "./preview";
import { sorted } from "./said";
import { asProps } from "./values";

const state = z.object({
  id: z.string().optional(),
  inputs: z.unknown().optional(),
  outputs: z.unknown().optional(),
  sourcePosition: z.string().optional(),
  retainOnDelete: z.boolean().nullish(),
});

const step = z.object({
  op: z.string(),
  urn: z.string(),
  oldState: state.nullish(),
  newState: state.nullish(),
  replaceReasons: z.array(z.string()).nullish(),
});

/**
 * Output of `pulumi preview --json`. It contains no policy results, and does not distinguish drift from the reasons for
 * a plan.
 */
export const previewDigest = z.object({
  steps: z.array(step).nullish(),
  diagnostics: z
    .array(z.object({ urn: z.string().nullish(), message: z.string(), severity: z.string() }))
    .nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
});

type Step = z.infer<typeof step>;

/** Reads the digest of a preview. */
export function readDigest(digest: z.infer<typeof previewDigest>): Preview {
  const steps = digest.steps ?? [];
  const diagnostics = digest.diagnostics ?? [];
  const showsAll = (digest.changeSummary?.same ?? 0) <= steps.filter(({ op }) => op === "same").length;
  const said = (urn: string) =>
    diagnostics
      .filter((one) => one.urn === urn && one.severity === "info")
      .map(({ message }) => message.trim());
  const messages = (wanted: string) =>
    diagnostics.filter(({ severity }) => severity === wanted).map(plainMessage);
  const errors = messages("error");
  const urns = [...new Set(steps.map(({ urn }) => urn))];
  return {
    failed: errors.length > 0,
    errors,
    warnings: messages("warning").filter(({ urn }) => urn !== undefined),
    promotions: messages("info").flatMap(({ message }) => promotionSentence(message) ?? []),
    resources: urns.map((urn) => resourceFrom(urn, steps, said(urn), showsAll)),
    refreshed: steps.some(({ op }) => op === "refresh"),
  };
}

function plainMessage({ urn, message }: { urn?: string | null; message: string }): PreviewMessage {
  const text = stripVTControlCharacters(message).replace(/^(error|warning): /, "");
  return { ...(urn && { urn }), message: text.trim() };
}

function resourceFrom(urn: string, all: Step[], said: string[], showsAll: boolean): PreviewedResource {
  const steps = all.filter((one) => one.urn === urn);
  const refresh = steps.find(({ op }) => op === "refresh");
  const main = steps.findLast(({ op }) => op !== "refresh");
  const operation = main ? operationOf(main.op) : "same";
  const isPlanned = operation === "update" || operation === "replace";
  // Log lines of a refresh have the same format as those of a plan. The lines of the refresh come first.
  const { plans, remarks } = sorted(said, isPlanned || refresh !== undefined);
  const drift = refresh && (!isPlanned || plans.length > 1) ? plans[0] : undefined;
  const gone = operation === "create" || (!main && showsAll && drift === undefined);
  return {
    urn,
    type: partsOfUrn(urn).type,
    operation,
    ...stateAs("before", main?.oldState ?? refresh?.oldState),
    ...stateAs("after", main?.newState),
    ...(isPlanned && plans.length > 0 && { reasons: plans.at(-1)! }),
    ...(main && remarks.length > 0 && { remarks }),
    replaceReasons: main?.replaceReasons ?? [],
    ...(refresh && { refresh: { ...(drift !== undefined && { reasons: drift }), gone } }),
  };
}

function stateAs(key: "before" | "after", found: Step["oldState"]): { [side in typeof key]?: ResourceState } {
  if (!found) return {};
  const { id, inputs, outputs, sourcePosition, retainOnDelete } = found;
  return {
    [key]: {
      ...(id && { id }),
      inputs: asProps(inputs),
      outputs: asProps(outputs),
      ...(sourcePosition && { sourcePosition }),
      ...(retainOnDelete && { retainOnDelete }),
    },
  };
}
