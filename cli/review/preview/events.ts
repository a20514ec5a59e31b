import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { promotionSentence } from "../../../provider/promotion/decide";
import { operationOf } from "./operations";
import type { PolicyResult, Preview, PreviewedResource, PreviewMessage, ResourceState } from "./preview";
import { sorted } from "./said";
import { asProps } from "./values";

const state = z.object({
  id: z.string().nullish(),
  inputs: z.unknown().optional(),
  outputs: z.unknown().optional(),
  retainOnDelete: z.boolean().nullish(),
});

const stepEvent = z.object({
  metadata: z.object({
    op: z.string(),
    urn: z.string(),
    type: z.string(),
    old: state.nullish(),
    new: state.nullish(),
    keys: z.array(z.string()).nullish(),
  }),
});

/** One line of the engine's event stream, with the fields that a review reads. */
export const engineEvent = z.object({
  diagnosticEvent: z
    .object({
      urn: z.string().nullish(),
      message: z.string(),
      severity: z.string(),
      ephemeral: z.boolean().nullish(),
    })
    .optional(),
  resourcePreEvent: stepEvent.optional(),
  resOutputsEvent: stepEvent.optional(),
  policyEvent: z
    .object({
      resourceUrn: z.string().nullish(),
      message: z.string(),
      policyName: z.string(),
      policyPackName: z.string(),
      enforcementLevel: z.string(),
    })
    .optional(),
  policyRemediationEvent: z
    .object({ resourceUrn: z.string().nullish(), policyName: z.string(), policyPackName: z.string() })
    .optional(),
  summaryEvent: z.object({ result: z.string().nullish() }).optional(),
});

type EngineEvent = z.infer<typeof engineEvent>;
type StepMetadata = z.infer<typeof stepEvent>["metadata"];

/** Reads the events of a preview in order. */
export function readEvents(events: EngineEvent[]): Preview {
  const resources = new Map<string, PreviewedResource>();
  const said = new Map<string, string[]>();
  const errors: PreviewMessage[] = [];
  const warnings: PreviewMessage[] = [];
  const promotions: string[] = [];
  let result: string | undefined;
  for (const { diagnosticEvent, resourcePreEvent, resOutputsEvent, summaryEvent } of events) {
    const promotion = diagnosticEvent && promotionIn(diagnosticEvent);
    if (diagnosticEvent?.severity === "error") errors.push(messageFrom(diagnosticEvent));
    else if (diagnosticEvent && isWarning(diagnosticEvent)) warnings.push(messageFrom(diagnosticEvent));
    else if (promotion !== undefined) promotions.push(promotion);
    else if (diagnosticEvent?.urn && diagnosticEvent.severity === "info" && !diagnosticEvent.ephemeral)
      said.set(diagnosticEvent.urn, [
        ...(said.get(diagnosticEvent.urn) ?? []),
        diagnosticEvent.message.trim(),
      ]);
    const step = resourcePreEvent?.metadata;
    if (step) {
      if (step.op === "refresh") said.delete(step.urn);
      else resources.set(step.urn, planned(step, resources.get(step.urn), said.get(step.urn)));
    }
    const outcome = resOutputsEvent?.metadata;
    if (outcome?.op === "refresh") {
      resources.set(outcome.urn, refreshed(outcome, said.get(outcome.urn)));
      said.delete(outcome.urn);
    }
    if (summaryEvent) result = summaryEvent.result ?? "succeeded";
  }
  if (result === undefined) errors.push({ message: "the preview stopped before it was complete" });
  return {
    failed: errors.length > 0 || result !== "succeeded",
    errors,
    warnings,
    promotions,
    resources: [...resources.values()],
    refreshed: events.some(({ resourcePreEvent }) => resourcePreEvent?.metadata.op === "refresh"),
    policies: events.flatMap(policyResult),
  };
}

/**
 * Merges a step of a resource with the resource's earlier steps. A replacement has three steps, only one of which has
 * both states.
 */
function planned(
  step: StepMetadata,
  known: PreviewedResource | undefined,
  said: readonly string[] = [],
): PreviewedResource {
  const operation = operationOf(step.op);
  const before = stateFrom(step.old) ?? known?.before;
  const after = stateFrom(step.new) ?? known?.after;
  const isPlanned = operation === "update" || operation === "replace";
  const { plans, remarks } = sorted(said, isPlanned);
  return {
    urn: step.urn,
    type: step.type,
    operation,
    ...(before && { before }),
    ...(after && { after }),
    ...(isPlanned && plans.length > 0 && { reasons: plans.at(-1)! }),
    ...(remarks.length > 0 && { remarks }),
    replaceReasons: step.keys ?? known?.replaceReasons ?? [],
    ...(known?.refresh && { refresh: known.refresh }),
  };
}

function refreshed(step: StepMetadata, said: readonly string[] = []): PreviewedResource {
  const reasons = sorted(said, true).plans.at(-1);
  const before = stateFrom(step.new) ?? stateFrom(step.old);
  return {
    urn: step.urn,
    type: step.type,
    operation: "same",
    ...(before && { before }),
    replaceReasons: [],
    refresh: { ...(reasons !== undefined && { reasons }), gone: !step.new },
  };
}

function stateFrom(found: StepMetadata["old"]): ResourceState | undefined {
  if (!found) return undefined;
  const { id, inputs, outputs, retainOnDelete } = found;
  return {
    ...(id && { id }),
    inputs: asProps(inputs),
    outputs: asProps(outputs),
    ...(retainOnDelete && { retainOnDelete }),
  };
}

/** Returns the sentence about a promotion in a message; `undefined` for any other message. */
function promotionIn(event: NonNullable<EngineEvent["diagnosticEvent"]>): string | undefined {
  return event.severity === "info" ? promotionSentence(messageFrom(event).message) : undefined;
}

function isWarning({ urn, severity, ephemeral }: NonNullable<EngineEvent["diagnosticEvent"]>): boolean {
  return severity === "warning" && Boolean(urn) && !ephemeral;
}

function messageFrom({ urn, message }: { urn?: string | null; message: string }): PreviewMessage {
  return { ...(urn && { urn }), message: stripVTControlCharacters(message).trim() };
}

function policyResult({ policyEvent, policyRemediationEvent }: EngineEvent): PolicyResult[] {
  if (policyEvent) {
    const { resourceUrn, policyName, policyPackName, enforcementLevel, message } = policyEvent;
    return [
      {
        ...(resourceUrn && { urn: resourceUrn }),
        policy: policyName,
        pack: policyPackName,
        level: enforcementLevel === "mandatory" ? "mandatory" : "advisory",
        message: stripVTControlCharacters(message).trim(),
      },
    ];
  }
  if (!policyRemediationEvent) return [];
  const { resourceUrn, policyName, policyPackName } = policyRemediationEvent;
  return [
    {
      ...(resourceUrn && { urn: resourceUrn }),
      policy: policyName,
      pack: policyPackName,
      level: "remediated",
      message: "changed the inputs",
    },
  ];
}
