import type { RevisionRecord } from "../revision";

/**
 * Upper limit of a plausible duration, in milliseconds. The timestamps of a revision that was later replaced or changed
 * do not reflect how long its rollout took.
 */
const maxDurationMs = 4 * 3_600_000;

type Timestamps = Pick<RevisionRecord, "status" | "created_at" | "updated_at">;

/**
 * Returns the duration of a successful rollout in milliseconds, according to the timestamps of its record; `undefined`
 * if the record was changed after its rollout.
 *
 * @param next - Revision that was created after this one.
 */
export function rolloutDuration(
  { status, created_at: created, updated_at: updated }: Timestamps,
  next: Timestamps | undefined,
): number | undefined {
  if (status !== "DEPLOYED" || !created || !updated) return undefined;
  const ms = Date.parse(updated) - Date.parse(created);
  if (next?.created_at && Date.parse(updated) >= Date.parse(next.created_at)) return undefined;
  return ms > 0 && ms < maxDurationMs ? ms : undefined;
}

/**
 * Returns the usual range of the durations, rounded, in milliseconds. Omits the shortest and the longest tenth. Returns
 * `undefined` if there are no durations.
 *
 * @param before - Time that is added to each duration.
 */
export function usualRange(
  durations: readonly number[],
  before = 0,
): { low: number; high: number } | undefined {
  if (durations.length === 0) return undefined;
  const ordered = [...durations].sort((one, other) => one - other);
  const at = (part: number) => round(before + ordered[Math.round(part * (ordered.length - 1))]!);
  return { low: at(0.1), high: at(0.9) };
}

/** Rounds a duration to seconds, multiples of ten seconds, or half minutes. */
function round(ms: number): number {
  const step = ms < 60_000 ? 1_000 : ms < 300_000 ? 10_000 : 30_000;
  return Math.round(ms / step) * step;
}
