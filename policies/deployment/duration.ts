const pattern = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** Returns the seconds of a duration such as `"30m"` or `"1h30m"`, or `undefined` for an invalid one. */
export function secondsOf(text: string): number | undefined {
  const [, hours, minutes, seconds, milliseconds] = pattern.exec(text) ?? [];
  if (!hours && !minutes && !seconds && !milliseconds) return undefined;
  const count = (part = "0") => Number(part);
  return count(hours) * 3_600 + count(minutes) * 60 + count(seconds) + count(milliseconds) / 1_000;
}
