/**
 * Returns the text or, if it is longer than the limit, at most that many characters, followed by an ellipsis. A
 * character that consists of two code units is not split.
 */
export function truncate(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, "")}…` : text;
}
