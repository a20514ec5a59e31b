import { printable } from "../../printable";

/** A foreign text in one line of at most so many characters, without anything that drives a terminal. */
export function oneLine(text: string, limit: number): string {
  return clipped(printable(text.trim().replace(/\s+/g, " ")), limit);
}

/** The start of a text, never half of a character. */
export function clipped(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 1);
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
