import { ended } from "./status.js";

/** Statuses of each revision in the order in which the page saw them: `{ status, at }`. */
const sightings = new Map();

/** The status with which every revision begins. */
const first = "CREATING";

/** Notes where a revision stands. The control plane tells only the latest status, so what nobody watched stays unknown. */
export function note(revision) {
  const seen = sightings.get(revision.id) ?? [];
  if (seen.at(-1)?.status === revision.status) return;
  const known = seen.length === 0 && revision.status === first ? revision.created_at : revision.updated_at;
  seen.push({ status: revision.status, at: Date.parse(known) });
  sightings.set(revision.id, seen);
}

/** The part of a revision's life that its rollout took: `{ from, to }`. */
export function span(revision, now) {
  const from = Date.parse(revision.created_at);
  const to = ended(revision.status) ? Date.parse(revision.updated_at) : now;
  return { from, to: Math.max(from, to) };
}

/** What is known of how a rollout went: `{ status, from, to }`, without `status` where nobody watched. */
export function stretches(revision, now) {
  const { from, to } = span(revision, now);
  const seen = sightings.get(revision.id) ?? [];
  const known = seen.map(({ status, at }, place) => ({
    status,
    from: Math.max(at, from),
    to: seen[place + 1]?.at ?? to,
  }));
  const watchedFrom = known[0]?.from ?? to;
  const all = watchedFrom > from ? [{ from, to: watchedFrom }, ...known] : known;
  return all.filter((one) => one.to > one.from);
}
