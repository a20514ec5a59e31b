import type { Words } from "./reasons";

/** What a reader has to know of one kind's reasons. */
interface Vocabulary<Code extends string> {
  /** Today's words: their codes are the ones that are known. */
  words: Words<Code>;
  /** Codes of reasons about no fields, which have no list. */
  notes: readonly Code[];
}

const codeAtEnd = / \[([a-z-]+\??)\]$/;

/** A changed field as a line shows it. */
export interface ShownChange {
  path: string;
  values?: { from: string; to: string };
}

/** A reason as a line shows it. */
interface ShownReason<Code extends string> {
  code: Code;
  changes: ShownChange[];
}

/**
 * Reads the line that `logLine` writes. Never throws.
 * @returns the reasons, and the text of those that this release does not know
 */
export function readLine<Code extends string>(
  line: string,
  vocabulary: Vocabulary<Code>,
): { reasons: ShownReason<Code>[]; unread: string[] } {
  const reasons: ShownReason<Code>[] = [];
  const unread: string[] = [];
  for (const text of textsOfReasons(line.trim())) {
    const read = readCoded(text, vocabulary);
    if (read) reasons.push(read);
    else unread.push(text);
  }
  return { reasons, unread };
}

/** Whether a line of the log ends in a code, as the reasons of a plan do. */
export function endsInCode(line: string): boolean {
  return codeAtEnd.test(line);
}

/** A line is cut at its semicolons, but not inside of quotes. */
function textsOfReasons(line: string): string[] {
  const texts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (isQuoted && line[at] === "\\") at += 1;
    else if (!isQuoted && line.startsWith("; ", at)) {
      texts.push(line.slice(start, at));
      start = at + 2;
    }
  }
  return [...texts, line.slice(start)].map((text) => text.trim()).filter((text) => text !== "");
}

/** Words, a colon and a list where the code has one, and the code. */
function readCoded<Code extends string>(
  text: string,
  { words, notes }: Vocabulary<Code>,
): ShownReason<Code> | undefined {
  const [end = "", code] = codeAtEnd.exec(text) ?? [];
  if (code === undefined || !isKnown(code, words)) return undefined;
  const body = text.slice(0, -end.length);
  // Words have neither quotes nor codes: where a quote was redacted, other reasons stand before this one.
  if (notes.includes(code)) return /"| \[/.test(body) ? undefined : { code, changes: [] };
  const [heading] = /^[^:]*: /.exec(body) ?? [];
  const changes = heading === undefined ? undefined : readList(body.slice(heading.length));
  return changes && { code, changes };
}

function isKnown<Code extends string>(code: string, words: Words<Code>): code is Code {
  return Object.hasOwn(words, code);
}

/** Changes that commas separate, and nothing after them. */
function readList(text: string): ShownChange[] | undefined {
  const changes: ShownChange[] = [];
  for (let rest = text; ;) {
    const path = readWord(rest);
    if (!path) return undefined;
    const values = readValues(path.rest);
    changes.push({ path: path.word, ...(values && { values: values.values }) });
    const after = values ? values.rest : path.rest;
    if (after === "") return changes;
    if (!after.startsWith(", ")) return undefined;
    rest = after.slice(2);
  }
}

function readValues(text: string) {
  const from = text.startsWith(" ") ? readWord(text.slice(1)) : undefined;
  if (!from?.rest.startsWith(" → ")) return undefined;
  const to = readWord(from.rest.slice(3));
  return to && { values: { from: from.word, to: to.word }, rest: to.rest };
}

/** A word as the writer leaves it: a JSON text, or one without blanks and separators. */
function readWord(text: string): { word: string; rest: string } | undefined {
  const json = /^["[{]/.test(text) ? jsonAt(text) : undefined;
  if (json !== undefined) {
    const word = text.startsWith('"') ? (JSON.parse(json) as string) : json;
    return { word, rest: text.slice(json.length) };
  }
  const [bare] = /^[^\s,;"→]+/.exec(text) ?? [];
  return bare === undefined ? undefined : { word: bare, rest: text.slice(bare.length) };
}

/** The JSON text that stands at the start, if a whole one does. */
function jsonAt(text: string): string | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs)) {
    if (/^[[{]/.test(token)) depth += 1;
    else if (/^[\]}]/.test(token)) depth -= 1;
    if (depth === 0) return parseable(text.slice(0, index + token.length));
  }
  return undefined;
}

function parseable(text: string): string | undefined {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}
