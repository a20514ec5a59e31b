import { z } from "zod";

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const pattern = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** A duration as users write it: `"30m"`, `"1h30m"`, `"45s"`. */
export const duration = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, {
    message: 'must be a duration such as "30m", "1h30m", or "45s", positive and at most 24h',
  });

/** Returns the duration in milliseconds, or `undefined` if the string is not a valid duration. */
export function parseDuration(text: string): number | undefined {
  const [, hours, minutes, seconds, milliseconds] = pattern.exec(text) ?? [];
  const count = (part = "0") => Number(part);
  const total =
    count(hours) * unitMs.h + count(minutes) * unitMs.m + count(seconds) * unitMs.s + count(milliseconds);
  return total > 0 && total <= 24 * unitMs.h ? total : undefined;
}

/** Formats the elapsed part of a time limit, in whole minutes: `limit 30m` in the first minute, then `3m of 30m`. */
export function spent(ms: number, limitMs: number): string {
  const minutes = Math.floor(ms / unitMs.m);
  const limit = formatDuration(limitMs);
  return minutes < 1 ? `limit ${limit}` : `${formatDuration(minutes * unitMs.m)} of ${limit}`;
}

/** Formats a duration: `45s`, `2m05s`, `1h02m`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60)
    return seconds % 60 ? `${minutes}m${String(seconds % 60).padStart(2, "0")}s` : `${minutes}m`;
  return `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, "0")}m`;
}
