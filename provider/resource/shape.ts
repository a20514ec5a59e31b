import type { z } from "zod";
import { failure, type Finding } from "./finding";
import { describeIssue } from "./issues";
import { hasUnknown, isUnknownAt, withoutUnknown } from "./unknown";

/** What is wrong with inputs wherever they go: their types, texts and names. What is not known yet is let through. */
export function shapeFindings(schema: z.ZodType, inputs: object): Finding[] {
  return issuesIn(schema, inputs)
    .flatMap((issue) => describeIssue(issue, schema))
    .map(({ path, reason }) => failure(path.join("."), reason));
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

function issuesIn(schema: z.ZodType, inputs: object): z.core.$ZodIssue[] {
  const parse = (values: unknown) => schema.safeParse(values).error?.issues ?? [];
  if (!hasUnknown(inputs)) return parse(inputs);
  // Names are wrong whatever is not known yet about their values. The rules about whole groups apply to what is known:
  // an unknown value in a group would have the wrong type, and then the schema does not apply them.
  const known = parse(withoutUnknown(inputs)).filter((issue) => !isAboutNames(issue));
  return [...parse(inputs).filter(isAboutNames), ...known.filter(({ path }) => !isUnknownAt(inputs, path))];
}

function isAboutNames(issue: z.core.$ZodIssue): boolean {
  return issue.code === "unrecognized_keys" || issue.code === "invalid_key";
}
