import type { Words } from "./reasons";

/** Reason codes and texts that the plans of one kind use. */
interface Vocabulary<Code extends string> {
  /** Text of each known code in this release. */
  words: Words<Code>;
  /** Codes of reasons that do not refer to fields, and are therefore not followed by a list of fields. */
  notes: readonly Code[];
}

const codeAtEnd = / \[([a-z-]+\??)\]$/;

/** A changed field, parsed from a log line. */
export interface ShownChange {
  path: string;
  values?: { from: string; to: string };
  /** Description of the change, if it is displayed instead of the values. */
  summary?: string;
}

/** A reason, parsed from a log line. */
interface ShownReason<Code extends string> {
  code: Code;
  changes: ShownChange[];
}

/**
 * Parses the line that `logLine` formats. Never throws.
 * @returns the reasons, and the text of reasons that this release does not recognize
 */
export function readLine<Code extends string>(
  line: string,
  vocabulary: Vocabulary<Code>,
): { reasons: ShownReason<Code>[]; unread: string[] } {
  const reasons: ShownReason<Code>[] = [];
  const unread: string[] = [];
  for (const text of textsOfReasons(line)) {
    const read = readCoded(text, vocabulary);
    if (read) reasons.push(read);
    else unread.push(text);
  }
  return { reasons, unread };
}

/** True if a log line ends in a code, like the reasons for a plan. */
export function endsInCode(line: string): boolean {
  return codeAtEnd.test(line);
}

/** Splits a line at semicolons that are not inside quotes. */
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

/** Parses one reason: its text, followed by a colon and a list of changes if the reason has one, and its code. */
function readCoded<Code extends string>(
  text: string,
  { words, notes }: Vocabulary<Code>,
): ShownReason<Code> | undefined {
  const [end = "", code = ""] = codeAtEnd.exec(text) ?? [];
  if (!isKnown(code, words)) return undefined;
  const body = text.slice(0, -end.length);
  // A text contains neither quotes nor codes. If this one does, redaction has removed the quote before a semicolon, so
  // the text contains several reasons.
  if (notes.includes(code)) return /"| \[/.test(body) ? undefined : { code, changes: [] };
  const [heading] = /^[^:]*: /.exec(body) ?? [];
  const changes = heading === undefined ? undefined : readList(body.slice(heading.length));
  return changes && { code, changes };
}

function isKnown<Code extends string>(code: string, words: Words<Code>): code is Code {
  return Object.hasOwn(words, code);
}

/** Parses changes that are separated by commas; `undefined` if the text contains anything else. */
function readList(text: string): ShownChange[] | undefined {
  const changes: ShownChange[] = [];
  for (let rest = text; ;) {
    const path = readWord(rest);
    if (!path) return undefined;
    const summary = readSummary(path.rest);
    const values = summary ? undefined : readValues(path.rest);
    changes.push({
      path: path.word,
      ...(values && { values: values.values }),
      ...(summary && { summary: summary.text }),
    });
    const after = (summary ?? values ?? path).rest;
    if (after === "") return changes;
    if (!after.startsWith(", ")) return undefined;
    rest = after.slice(2);
  }
}

/** Parses a summary of changes in parentheses. In a summary, only quoted names contain parentheses. */
function readSummary(text: string) {
  const [whole, inside] = /^ \(((?:[^()"]|"(?:[^"\\]|\\.)*")*)\)/.exec(text) ?? [];
  return whole === undefined ? undefined : { text: inside!, rest: text.slice(whole.length) };
}

function readValues(text: string) {
  const from = text.startsWith(" ") ? readWord(text.slice(1)) : undefined;
  if (!from?.rest.startsWith(" → ")) return undefined;
  const to = readWord(from.rest.slice(3));
  return to && { values: { from: from.word, to: to.word }, rest: to.rest };
}

/** Parses one formatted path or value: a JSON value, or text without spaces and separators. */
function readWord(text: string): { word: string; rest: string } | undefined {
  const json = /^["[{]/.test(text) ? jsonAt(text) : undefined;
  if (json !== undefined) {
    const word = text.startsWith('"') ? (JSON.parse(json) as string) : json;
    return { word, rest: text.slice(json.length) };
  }
  const [bare] = /^[^\s,;"→(][^\s,;"→]*/.exec(text) ?? [];
  return bare === undefined ? undefined : { word: bare, rest: text.slice(bare.length) };
}

/** Returns the complete JSON value at the start of the text; `undefined` if the text does not start with one. */
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
