import { ended } from "./status.js";

/** Returns the time span of a revision's rollout as `{ from, to }`. */
export function span(revision, now) {
  const from = Date.parse(revision.created_at);
  const to = ended(revision.status) ? Date.parse(revision.updated_at) : now;
  return { from, to: Math.max(from, to) };
}

/**
 * Returns the known statuses of a rollout as a list of `{ status, from, to }`. An entry has no `status` if none was
 * recorded.
 */
export function stretches(revision, now) {
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
