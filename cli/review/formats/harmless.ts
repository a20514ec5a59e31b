import { printable } from "../../printable";

/** Returns untrusted text as one line of at most `limit` characters, without terminal control characters. */
export function oneLine(text: string, limit: number): string {
  return clipped(printable(text.trim().replace(/\s+/g, " ")), limit);
}

/** Returns the start of a string, without splitting a character. */
export function clipped(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
