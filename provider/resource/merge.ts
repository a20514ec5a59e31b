import { isGroup } from "./inputs/values";
import { isSameJson } from "./inputs/json";

type Fields = Record<string, unknown>;

/** Rule for comparing a field with the value that a server reports. */
interface FieldRule {
  /**
   * Part of the value that is compared. With `entries`, only the entries that this resource manages are compared, for
   * maps that others may add to. With `value`, the default, the whole value is compared.
   */
  counts?: "entries" | "value";
  /** True if two values are equivalent; by default, if they have the same JSON. */
  isSame?: (one: unknown, other: unknown) => boolean;
}

/** Rules for the fields of a kind that a server may report, keyed by name. */
export type FieldRules = Readonly<Record<string, FieldRule>>;

/**
 * Returns the inputs that are currently in effect: those in state, corrected by the values that the server reports.
 * - A field that is neither in state nor in the program is not managed, and is omitted.
 * - A field that the server does not report keeps its value in state, never the desired one.
 * - A reported value that is equivalent to a known one keeps the notation of the known value.
 * @param state the inputs in state; undefined for an object that is not in state yet
 * @param reported the reported values, with the user's field names: null if empty, undefined if not reported
 * @param wanted the inputs of the program; the state itself if there are none
 */
export function merge<Inputs extends object>(
  rules: FieldRules,
  state: Partial<Inputs> | undefined,
  reported: object,
  wanted: Partial<Inputs>,
): Partial<Inputs> {
  const current: Fields = { ...state };
  for (const [field, rule] of Object.entries(rules)) {
    const value = currentValue(
      rule,
      (state as Fields | undefined)?.[field],
      (reported as Fields)[field],
      (wanted as Fields)[field],
    );
    if (value === undefined) delete current[field];
    else current[field] = value;
  }
  return current as Partial<Inputs>;
}

function currentValue(rule: FieldRule, state: unknown, reported: unknown, wanted: unknown): unknown {
  if (reported === undefined || (state === undefined && wanted === undefined)) return state;
  const value = rule.counts === "entries" ? managedEntries(reported, [state, wanted]) : reported;
  const { isSame = isSameJson } = rule;
  const known = [wanted, state].filter((one) => one !== undefined);
  const same = known.find((one) => {
    const compared = rule.counts === "entries" ? withoutNulls(one) : one;
    return (isEmpty(compared) && isEmpty(value)) || isSame(compared, value);
  });
  return same === undefined ? value : same;
}

/** Returns only the reported entries whose keys are in one of the known maps. */
function managedEntries(reported: unknown, known: unknown[]): unknown {
  if (!isGroup(reported)) return reported;
  const keys = new Set(known.flatMap((one) => (isGroup(one) ? Object.keys(one) : [])));
  return Object.fromEntries(Object.entries(reported).filter(([key]) => keys.has(key)));
}

/** Returns a map without entries that are null, which represent entries to remove. */
function withoutNulls(value: unknown): unknown {
  return isGroup(value)
    ? Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null))
    : value;
}

/** True for an empty value. Null clears a field, so it is treated as empty. */
function isEmpty(value: unknown): boolean {
  return value === null || value === "" || (isGroup(value) && Object.keys(value).length === 0);
}
