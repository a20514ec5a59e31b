const pattern = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** Seconds of a length of time such as `"30m"` or `"1h30m"`; nothing for text that is not one. */
export function secondsOf(text: string): number | undefined {
  const [, hours, minutes, seconds, milliseconds] = pattern.exec(text) ?? [];
  if (!hours && !minutes && !seconds && !milliseconds) return undefined;
  const count = (part = "0") => Number(part);
  return count(hours) * 3_600 + count(minutes) * 60 + count(seconds) + count(milliseconds) / 1_000;
}
