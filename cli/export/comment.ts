import { printable } from "../printable";

/** A text from elsewhere as one line of a comment, out of which it cannot break. */
export function commentLine(marker: "//" | "#", text: string): string {
  return `${marker} ${printable(text).replace(/[\n\t]/g, " ")}`;
}

/** Lines that a program or manifest does not read. */
export function commentedOut(marker: "//" | "#", lines: string): string {
  // Nothing but a line break may begin a line.
  return printable(lines).replace(/^(?=.)/gm, `${marker} `);
}
