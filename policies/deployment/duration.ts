const pattern = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** Seconds of a length of time such as `"30m"` or `"1h30m"`; nothing for text that is not one. */
export function secondsOf(text: string): number | undefined {
  const [, ...parts] = pattern.exec(text) ?? [];
  if (!parts.some((part) => part !== undefined)) return undefined;
  const [hours, minutes, seconds, milliseconds] = parts.map((part) => Number(part ?? 0));
  return hours! * 3_600 + minutes! * 60 + seconds! + milliseconds! / 1_000;
}
