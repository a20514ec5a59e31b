import { z } from "zod";

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;
/** Maximum duration of `durationInDays`. */
export const maxDays = 30;
const pattern = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** A time limit in the user's notation: `"30m"`, `"1h30m"`, `"45s"`. */
export const duration = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, {
    message: 'must be a positive duration of at most 24h, such as "30m", "1h30m", or "45s"',
  });

/** A duration of at most 30 days: `"7d"`, `"1d12h"`, `"2h"`. */
export const durationInDays = z
  .string()
  .refine((text) => parseDuration(text, maxDays) !== undefined, {
    message: `must be a positive duration of at most ${maxDays}d, such as "7d", "1d12h", or "2h"`,
  });

/**
 * Returns the duration in milliseconds, or `undefined` if the string is not a valid duration.
 * @param days - Maximum duration, in days.
 */
export function parseDuration(text: string, days = 1): number | undefined {
  const parts = pattern.exec(text)?.slice(1) ?? [];
  const total = Object.values(unitMs).reduce((sum, ms, index) => sum + Number(parts[index] ?? 0) * ms, 0);
  return total > 0 && total <= days * unitMs.d ? total : undefined;
}

/** Formats the elapsed part of a time limit in whole minutes: `limit 30m` in the first minute, then `3m of 30m`. */
export function spent(ms: number, limitMs: number): string {
  const minutes = Math.floor(ms / unitMs.m);
  const limit = formatDuration(limitMs);
  return minutes < 1 ? `limit ${limit}` : `${formatDuration(minutes * unitMs.m)} of ${limit}`;
}

/** Formats a duration: `45s`, `2m05s`, `1h02m`, `1d12h`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60)
    return seconds % 60 ? `${minutes}m${String(seconds % 60).padStart(2, "0")}s` : `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours <= 24) return `${hours}h${String(minutes % 60).padStart(2, "0")}m`;
  return hours % 24 ? `${Math.floor(hours / 24)}d${hours % 24}h` : `${hours / 24}d`;
}
