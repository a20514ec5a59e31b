const pattern = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** Returns the number of seconds in a duration such as `"30m"` or `"1h30m"`, or `undefined` if it is invalid. */
export function secondsOf(text: string): number | undefined {
  const [, hours, minutes, seconds, milliseconds] = pattern.exec(text) ?? [];
  if (!hours && !minutes && !seconds && !milliseconds) return undefined;
  const count = (part = "0") => Number(part);
  return count(hours) * 3_600 + count(minutes) * 60 + count(seconds) + count(milliseconds) / 1_000;
}
