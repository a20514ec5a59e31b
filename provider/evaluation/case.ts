import { z } from "zod";
import { jsonObject, transportable } from "../resource/inputs/json";
import { text } from "../resource/inputs/shape";

/** One case of an evaluation: the input of a run, and the expected answer. */
export const evaluationCase = z
  .strictObject({
    id: text.optional(),
    input: transportable,
    expect: transportable.optional(),
    tolerance: z.number().min(0, "must not be negative").optional(),
    schema: jsonObject.optional(),
    reference: transportable.optional(),
  })
  .superRefine(({ input, expect, tolerance, schema, reference }, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (input === undefined) fault("input", "is required");
    if (schema !== undefined && expect !== undefined)
      fault("schema", "cannot be combined with expect; remove one of them");
    if (tolerance !== undefined && typeof expect !== "number")
      fault("tolerance", "requires a number in expect");
    if (reference !== undefined && (expect !== undefined || schema !== undefined))
      fault(
        "reference",
        "is used only by the judge, which does not score cases with expect or schema; remove it, or remove expect and schema",
      );
  });

export type EvaluationCase = z.infer<typeof evaluationCase>;

/** A case with its location, which messages refer to. */
export interface LocatedCase extends EvaluationCase {
  /** Location of the case, for example `evals/refunds.jsonl line 3`. */
  at: string;
}

/** True if the answer is compared with an expectation or a schema; false if a judge decides. */
export function isCompared({ expect, schema }: EvaluationCase): boolean {
  return expect !== undefined || schema !== undefined;
}

/** Returns the name of a case in messages. */
export function nameOf({ id, at }: LocatedCase): string {
  return id === undefined ? at : `${id} (${at})`;
}
