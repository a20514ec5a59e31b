/** Returns the text or, if it is longer than the limit, that many characters of it followed by an ellipsis. */
export function truncate(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
