import { ended } from "./status.js";

/** Statuses of each revision in the order in which the page saw them: `{ status, at }`. */
const sightings = new Map();

/** Notes where a revision stands. The control plane tells only the latest status, so what nobody watched stays unknown. */
export function note(revision) {
  const seen = sightings.get(revision.id) ?? [];
  if (seen.at(-1)?.status === revision.status) return;
  seen.push({ status: revision.status, at: Date.parse(revision.updated_at) });
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
  const first = known[0]?.from ?? to;
  const all = first > from ? [{ from, to: first }, ...known] : known;
  return all.filter((one) => one.to > one.from);
}
