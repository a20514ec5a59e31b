/** Part of a line: either fixed text of the report, or untrusted text that each format must escape. */
type Span = string | { foreign: string };

/** One line of a report, before it is formatted. */
export type Line = Span[];

/** A heading and the lines below it. */
export interface Block {
  title: Line;
  lines: Line[];
}

/** Creates a line from a template. Inserted strings are treated as untrusted; inserted numbers and lines are not. */
export function line(words: TemplateStringsArray, ...filled: (string | number | Line)[]): Line {
  return words.flatMap((word, index): Line => {
    const value = filled[index];
    const spans: Line = word === "" ? [] : [word];
    if (value === undefined) return spans;
    if (Array.isArray(value)) return [...spans, ...value];
    return [...spans, typeof value === "number" ? String(value) : { foreign: value }];
  });
}

/** Joins lines with commas into one line. */
export function listed(lines: Line[]): Line {
  return lines.flatMap((one, index) => (index === 0 ? one : [", ", ...one]));
}

/** Returns a number with its noun: `1 thread`, `2 threads`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
