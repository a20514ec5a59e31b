import type { AssistantRecord } from "../agent-server/wire";
import { isSameJson } from "../resource/json";
import type { AssistantInputs } from "./inputs";
import { fromWire } from "./mapping";

type Managed = Record<string, unknown>;

/**
 * The inputs as the server has them: what a program leaves out is the server's own, and of groups that the server adds to
 * only what the program gives counts.
 */
export function asRecorded(inputs: AssistantInputs, record: AssistantRecord): AssistantInputs {
  // While a version is pinned, the record is that version's.
  if (inputs.pinVersion) return { ...inputs, pinVersion: record.version ?? inputs.pinVersion };
  const found = fromWire(record) as Managed;
  const empty = { config: {}, context: {}, metadata: {} } as Managed;
  const wanted = inputs as Managed;
  const same = (field: string, theirs: unknown) =>
    field === "context" || field === "description"
      ? isSameJson(wanted[field] || empty[field], theirs ?? empty[field])
      : isIncluded(wanted[field], theirs);
  const compared = ["graph", "name", "description", "config", "context", "metadata"].filter(
    (field) => wanted[field] !== undefined,
  );
  const changed = compared.flatMap((field) => {
    // A context that was given as `configurable` comes back as both.
    const theirs = field === "context" ? (record.context ?? {}) : (found[field] ?? empty[field]);
    return same(field, theirs) ? [] : [[field, shownOf(wanted[field], theirs)] as const];
  });
  return { ...inputs, ...Object.fromEntries(changed) };
}

/** Of a group, what a program gives; of anything else, what the server has. */
function shownOf(wanted: unknown, theirs: unknown): unknown {
  if (!isGroup(wanted) || !isGroup(theirs)) return theirs ?? null;
  return Object.fromEntries(Object.keys(wanted).flatMap((key) => (key in theirs ? [[key, theirs[key]]] : [])));
}

/** Whether the server has everything that is wanted, with these values. */
function isIncluded(wanted: unknown, theirs: unknown): boolean {
  if (!isGroup(wanted) || !isGroup(theirs)) return isSameJson(wanted, theirs);
  return Object.entries(wanted).every(
    ([key, value]) => (value === null && theirs[key] === undefined) || isSameJson(value, theirs[key]),
  );
}

function isGroup(value: unknown): value is Managed {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
