import { isGroup } from "./inputs/values";
import { isSameJson } from "./inputs/json";

type Fields = Record<string, unknown>;

/** How one field is compared with what a server reports. */
interface FieldRule {
  /**
   * `entries`: a map that others may add to, so only the entries that this resource manages count. `value`, the default:
   * everything in it counts.
   */
  counts?: "entries" | "value";
  /** True if two values mean the same; by default if they are the same JSON. */
  isSame?: (one: unknown, other: unknown) => boolean;
}

/** The fields of a kind that a server may report, with their rules. */
export type FieldRules = Readonly<Record<string, FieldRule>>;

/**
 * The inputs as they are in force now: those in state, corrected by what the server reports.
 * - A field that neither the state nor the program has is not managed, and missing.
 * - A field that the server does not report is as it is in state, never as it is wanted.
 * - A reported value that means the same as a known one is written like that one.
 * @param state the inputs in state; undefined for something that is not in state yet
 * @param reported what the server reports, in the user's words: null is an empty value, undefined is not reported
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

/** The reported entries with the keys of one of the known maps. */
function managedEntries(reported: unknown, known: unknown[]): unknown {
  if (!isGroup(reported)) return reported;
  const keys = new Set(known.flatMap((one) => (isGroup(one) ? Object.keys(one) : [])));
  return Object.fromEntries(Object.entries(reported).filter(([key]) => keys.has(key)));
}

/** An entry that is null is one that must not be there. */
function withoutNulls(value: unknown): unknown {
  return isGroup(value)
    ? Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null))
    : value;
}

/** Null clears a field, so it means the same as an empty value. */
function isEmpty(value: unknown): boolean {
  return value === null || value === "" || (isGroup(value) && Object.keys(value).length === 0);
}
