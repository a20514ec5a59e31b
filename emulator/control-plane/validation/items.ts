import type { z } from "@hono/zod-openapi";
import type { ValidationItem } from "../../../wire";

type Issue = z.core.$ZodIssue;

/**
 * Returns validation errors with the messages of the public service.
 *
 * @param place - Validated part: `body`, `query`, or `path`.
 * @param sent - The body as sent, which distinguishes a missing field from an invalid one.
 */
export function validationItems(issues: readonly Issue[], place: string, sent: unknown): ValidationItem[] {
  return issues.flatMap((issue) => {
    const loc = [place, ...issue.path.map((part) => (typeof part === "number" ? part : String(part)))];
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ loc: [...loc, key], ...unknown }));
    return [{ loc, ...wording(issue, at(sent, issue.path)) }];
  });
}

const unknown = { type: "extra_forbidden", msg: "Extra inputs are not permitted" };

function wording(issue: Issue, value: unknown): Pick<ValidationItem, "msg" | "type"> {
  // A string with an invalid format is not missing, even if `sent` does not contain it because it is a list item that
  // was sent alone.
  if (value === undefined && issue.code !== "invalid_format")
    return { type: "missing", msg: "Field required" };
  switch (issue.code) {
    case "invalid_type":
      return wrongType(issue.expected, value);
    case "invalid_format":
      return issue.format === "guid" || issue.format === "uuid"
        ? { type: "uuid_parsing", msg: "Input should be a valid UUID" }
        : { type: "value_error", msg: issue.message };
    case "too_small":
      return issue.origin === "string"
        ? {
            type: "string_too_short",
            msg: `String should have at least ${plural(issue.minimum, "character")}`,
          }
        : { type: "greater_than_equal", msg: `Input should be greater than or equal to ${issue.minimum}` };
    case "too_big":
      return issue.origin === "string"
        ? { type: "string_too_long", msg: `String should have at most ${plural(issue.maximum, "character")}` }
        : { type: "less_than_equal", msg: `Input should be less than or equal to ${issue.maximum}` };
    case "invalid_value":
      return {
        type: "literal_error",
        msg: `Input should be ${issue.values.map((one) => `'${String(one)}'`).join(" or ")}`,
      };
    default:
      return { type: "value_error", msg: issue.message };
  }
}

function wrongType(expected: string, value: unknown): Pick<ValidationItem, "msg" | "type"> {
  switch (expected) {
    case "string":
      return { type: "string_type", msg: "Input should be a valid string" };
    case "boolean":
      return { type: "bool_type", msg: "Input should be a valid boolean" };
    case "array":
      return { type: "list_type", msg: "Input should be a valid list" };
    case "object":
    case "record":
      return { type: "dict_type", msg: "Input should be a valid dictionary" };
    case "int":
    case "number":
      return typeof value === "string"
        ? {
            type: "int_parsing",
            msg: "Input should be a valid integer, unable to parse string as an integer",
          }
        : { type: "int_type", msg: "Input should be a valid integer" };
    default:
      return { type: `${expected}_type`, msg: `Input should be a valid ${expected}` };
  }
}

function plural(count: number | bigint, what: string): string {
  return `${count} ${what}${Number(count) === 1 ? "" : "s"}`;
}

function at(sent: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (part, key) =>
      part !== null && typeof part === "object" ? (part as Record<PropertyKey, unknown>)[key] : undefined,
    sent,
  );
}
