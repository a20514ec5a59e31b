import { z } from "zod";
import { failure, type Finding } from "./finding";
import { describeIssue, type InputFault } from "./issues";
import { hasUnknown, isUnknownAt, withoutUnknown } from "./unknown";
import { shownAsItIs } from "../plan/display-value";

/** What is wrong with inputs wherever they go: their types, texts and names. What is not known yet is let through. */
export function shapeFindings(schema: z.ZodType, inputs: object): Finding[] {
  return faultsIn(schema, inputs).map(({ path, reason }) => failure(path.join("."), reason));
}

/** The findings that are about no property of a wrong shape, nor about anything in or around one. */
export function besides(misshapen: readonly Finding[], findings: readonly Finding[]): Finding[] {
  return findings.filter(
    ({ property }) =>
      !misshapen.some(({ property: other }) => contains(property, other) || contains(other, property)),
  );
}

function contains(path: string, other: string): boolean {
  return path === other || other.startsWith(`${path}.`);
}

function faultsIn(schema: z.ZodType, inputs: object): InputFault[] {
  const parse = (values: unknown) =>
    (schema.safeParse(values).error?.issues ?? []).flatMap((issue) => describeIssue(issue, schema));
  if (!hasUnknown(inputs)) return parse(inputs);
  // Names are wrong whatever is not known yet about their values. The rules about whole groups apply to what is known:
  // an unknown value in a group would have the wrong type, and then the schema does not apply them.
  const known = parse(withoutUnknown(inputs)).filter(({ aboutName }) => !aboutName);
  return [
    ...parse(inputs).filter(({ aboutName }) => aboutName),
    ...known.filter(({ path }) => !isUnknownAt(inputs, path)),
  ];
}

/** A text that says something. */
export const filled = z
  .string()
  .min(1, { error: "must not be empty", abort: true })
  .regex(/\S/, { error: "must not be blank", abort: true });

/** A text of one line. */
export const text = shownAsItIs(
  filled.regex(/^\P{Cc}*$/u, "must not hold control characters, such as a line break"),
);

/** A text of one line, or null, which clears it where the control plane can. */
export const nullableText = text.nullish();

/** An optional field that cannot be cleared with null, and the reason. */
export function unclearable<Schema extends z.ZodType>(schema: Schema, why: string) {
  const given = z
    .any()
    .refine((value) => value !== null, { error: `cannot be cleared: ${why}`, abort: true });
  return given.pipe(schema).optional();
}
