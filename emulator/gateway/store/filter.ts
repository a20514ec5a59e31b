import { isDeepStrictEqual } from "node:util";
import { Refusal } from "../request/refusal";

type Values = Record<string, unknown>;

const operators: Record<string, (value: unknown, wanted: unknown) => boolean> = {
  $eq: isDeepStrictEqual,
  $ne: (value, wanted) => !isDeepStrictEqual(value, wanted),
  $gt: (value, wanted) => numberOf(value) > numberOf(wanted),
  $gte: (value, wanted) => numberOf(value) >= numberOf(wanted),
  $lt: (value, wanted) => numberOf(value) < numberOf(wanted),
  $lte: (value, wanted) => numberOf(value) <= numberOf(wanted),
};

/** @throws Refusal 400 if the filter has an operator that is not known */
export function requireOperators(filter: unknown): void {
  if (Array.isArray(filter)) return filter.forEach(requireOperators);
  if (!isObject(filter)) return;
  const unknown = isOperation(filter) ? Object.keys(filter).find((name) => !isOperator(name)) : undefined;
  if (unknown !== undefined)
    throw new Refusal(
      400,
      `filter: Unsupported operator: ${unknown}. The operators are ${Object.keys(operators).join(", ")}.`,
    );
  if (!isOperation(filter)) Object.values(filter).forEach(requireOperators);
}

/** True if the value has what the filter names, as the public server compares: a missing value equals null. */
export function matches(value: unknown, filter: unknown): boolean {
  if (Array.isArray(filter))
    return (
      Array.isArray(value) &&
      value.length === filter.length &&
      filter.every((part, place) => matches(value[place], part))
    );
  if (!isObject(filter)) return (value ?? null) === filter;
  const entries = Object.entries(filter);
  if (isOperation(filter)) return entries.every(([name, wanted]) => operators[name]!(value ?? null, wanted));
  return isObject(value) && entries.every(([name, part]) => matches(ownValue(value, name), part));
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isOperator = (name: string) => Object.hasOwn(operators, name);
const isOperation = (filter: Values) => Object.keys(filter).some((name) => name.startsWith("$"));
const ownValue = (value: Values, name: string) => (Object.hasOwn(value, name) ? value[name] : undefined);

/** Returns a number, or a text that is one, as a number; anything else as NaN, which compares to nothing. */
function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}
