import { plainText } from "../../provider/text/plain-text";

/** A place in a file; line and column count from 1. */
export interface Place {
  /** The file's path, as it is shown to the user. */
  file: string;
  line: number;
  column: number;
}

/** Something that is wrong with a manifest. It never holds a value of the manifest, which may be a secret. */
export interface Fault extends Place {
  message: string;
}

/** A place as editors and terminals follow it: `file:line:column`. */
export function formatPlace({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

/** A fault as one line; names in it come from files, and must not drive a terminal. */
export function formatFault(fault: Fault): string {
  return plainText(`${formatPlace(fault)}: ${fault.message}`).replace(/\n/g, " ");
}

/** The faults in the order of their places, each once. */
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
