import { printable } from "../printable";

/** Formats untrusted text as a one-line comment. The text cannot end the comment. */
export function commentLine(marker: "//" | "#", text: string): string {
  return `${marker} ${printable(text).replace(/[\n\t]/g, " ")}`;
}

/** Comments out lines of a program or manifest. */
export function commentOut(marker: "//" | "#", lines: string): string {
  // `printable` escapes all other line separators, so the text cannot start a line without a marker.
  return printable(lines).replace(/^(?=.)/gm, `${marker} `);
}
