import { plainText } from "../../provider/text/plain-text";

/** A position in a file; line and column start at 1. */
export interface Place {
  /** Path of the file, as displayed to the user. */
  file: string;
  line: number;
  column: number;
}

/** Fault of a manifest. It never contains values from the manifest, because they may be secret. */
export interface Fault extends Place {
  message: string;
}

/** Formats a position as `file:line:column`, the format that editors and terminals use. */
export function formatPlace({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** Formats a fault as one line. Names in it come from files, so terminal control characters are removed. */
export function formatFault(fault: Fault): string {
  return plainText(`${formatPlace(fault)}: ${fault.message}`).replace(/\n/g, " ");
}

/** Returns the faults sorted by position, without duplicates. */
export function inOrder(faults: readonly Fault[]): Fault[] {
  const once = new Map(faults.map((fault) => [formatFault(fault), fault]));
  return [...once.values()].sort(
    (one, other) => compare(one.file, other.file) || one.line - other.line || one.column - other.column,
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
