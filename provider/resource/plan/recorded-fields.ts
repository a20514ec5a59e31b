import { isSameJson } from "../inputs/json";

type Fields = Record<string, unknown>;

/**
 * The inputs as a server has them. What a program leaves out is the server's own, and what the server does not tell is as
 * it was; of a group that the server adds to, only what the program gives counts.
 * @param found what the server tells, in the user's words
 * @param fields the fields that are compared
 * @param isSame where a field is compared by something else than what is in it
 */
export function recordedFields<Inputs extends object>(
  inputs: Inputs,
  found: object,
  fields: readonly string[],
  isSame: Readonly<Record<string, (wanted: unknown, theirs: unknown) => boolean>> = {},
): Inputs {
  const [wanted, theirs] = [inputs as Fields, found as Fields];
  const changed = fields.flatMap((field) => {
    if (wanted[field] === undefined || theirs[field] === undefined) return [];
    const same = (isSame[field] ?? isIncluded)(wanted[field], theirs[field]);
    return same ? [] : [[field, shown(wanted[field], theirs[field])] as const];
  });
  return { ...inputs, ...Object.fromEntries(changed) };
}

/** Whether the server has everything that is wanted, with these values. */
function isIncluded(wanted: unknown, theirs: unknown): boolean {
  if (!isGroup(wanted) || !isGroup(theirs)) return isSameJson(wanted ?? null, theirs ?? null);
  return Object.entries(wanted).every(([key, value]) => isSameJson(value ?? null, theirs[key] ?? null));
}

/** Of a group, what a program gives; of anything else, what the server has. */
function shown(wanted: unknown, theirs: unknown): unknown {
  if (!isGroup(wanted) || !isGroup(theirs)) return theirs;
  return Object.fromEntries(
    Object.keys(wanted).flatMap((key) => (key in theirs ? [[key, theirs[key]]] : [])),
  );
}

function isGroup(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
