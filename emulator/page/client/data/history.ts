import { ended } from "./status";
import type { Revision } from "./types";

/** Returns the time span of a revision's rollout as `{ from, to }`. */
export function span(revision: Revision, now: number): { from: number; to: number } {
  const from = Date.parse(revision.created_at);
  const to = ended(revision.status) ? Date.parse(revision.updated_at) : now;
  return { from, to: Math.max(from, to) };
}

/** Period that a rollout spent in one status. The `status` is absent if none was recorded. */
export interface Stretch {
  status?: string;
  from: number;
  to: number;
}

/** Returns the periods that a rollout spent in each status, including a period before the first recorded status. */
export function stretches(revision: Revision, now: number): Stretch[] {
  const { from, to } = span(revision, now);
  const kept = (revision.statuses ?? []).map(({ status, at }) => ({ status, at: Date.parse(at) }));
  const known = kept.map(({ status, at }, place) => ({
    status,
    from: Math.max(at, from),
    to: kept[place + 1]?.at ?? to,
  }));
  const knownFrom = known[0]?.from ?? to;
  const all = knownFrom > from ? [{ from, to: knownFrom }, ...known] : known;
  return all.filter((one) => one.to > one.from);
}
