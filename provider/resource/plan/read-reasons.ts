import type { Change, Effect } from "./change";
import { firstWords } from "./first-words";
import { reasonCodes, type ReasonCode } from "./reasons";

/** One changed field as a line of the log shows it. */
export type PlannedChange = Omit<Change, "effect"> & { effect: Effect | "along" };

/** A plan as a line of the log shows it. */
export interface PlanSummary {
  replaces: boolean;
  /** A new revision is made because the last rollout failed. */
  afterFailure: boolean;
  resumesWait: boolean;
  changes: PlannedChange[];
  /** How many reasons were understood. */
  known: number;
  /** Parts of the line that this release does not know. */
  unread: string[];
}

/** A reason that was read, and the text after it. */
interface Read {
  code: ReasonCode;
  changes?: Pick<Change, "path" | "values">[];
  rest: string;
}

/** Reads the line that `logLine` writes, whichever release wrote it. Never throws. */
export function readReasons(line: string): PlanSummary {
  const reads: Read[] = [];
  const unread: string[] = [];
  for (let rest = line.trim(); rest !== "";) {
    const read = readListing(rest) ?? readPlain(rest) ?? readFirst(rest);
    if (read) reads.push(read);
    else unread.push(rest.split("; ", 1)[0]!);
    rest = read ? read.rest : rest.slice(unread.at(-1)!.length + 2);
  }
  const codes = new Set(reads.map(({ code }) => code));
  return {
    replaces: codes.has("replace"),
    afterFailure: codes.has("after-failure"),
    resumesWait: codes.has("resumes-wait"),
    changes: reads.flatMap(({ code, changes = [] }) =>
      changes.map(({ path, values }) => ({ path, ...effectOf(code), ...(values && { values }) })),
    ),
    known: reads.length,
    unread,
  };
}

function effectOf(code: ReasonCode): Pick<PlannedChange, "effect" | "unknown"> {
  const effect = code.replace("?", "") as PlannedChange["effect"];
  return code.endsWith("?") ? { effect, unknown: true } : { effect };
}

/** Words, a colon, changes, and the code. */
function readListing(text: string): Read | undefined {
  const [heading] = /^[^;:]*: /.exec(text) ?? [];
  const listed = heading === undefined ? undefined : readList(text.slice(heading.length), readCode);
  return listed && { code: listed.end.code, changes: listed.changes, rest: listed.end.rest };
}

/** Words and the code. */
function readPlain(text: string): Read | undefined {
  const [words] = /^[^;[]*(?= \[)/.exec(text) ?? [];
  return words === undefined ? undefined : readCode(text.slice(words.length));
}

/** The first releases wrote words alone. */
function readFirst(text: string): Read | undefined {
  for (const [words, code] of firstWords) {
    if (!text.startsWith(words)) continue;
    const after = text.slice(words.length);
    const rest = afterEnd(after);
    if (rest !== undefined) return { code, rest };
    const listed = after.startsWith(": ")
      ? readList(after.slice(2), (one) => wrapped(afterEnd(one)))
      : undefined;
    if (listed) return { code, changes: listed.changes, rest: listed.end.rest };
  }
  return undefined;
}

function wrapped(rest: string | undefined): { rest: string } | undefined {
  return rest === undefined ? undefined : { rest };
}

function readCode(text: string): { code: ReasonCode; rest: string } | undefined {
  const [whole = "", code] = /^ \[([a-z-]+\??)\]/.exec(text) ?? [];
  const rest = afterEnd(text.slice(whole.length));
  const known = reasonCodes.find((one) => one === code);
  return known === undefined || rest === undefined ? undefined : { code: known, rest };
}

/** Changes that commas separate, up to an end. */
function readList<End>(text: string, readEnd: (rest: string) => End | undefined) {
  const changes: Pick<Change, "path" | "values">[] = [];
  for (let rest = text; ;) {
    const path = readWord(rest);
    if (!path) return undefined;
    const soon = readEnd(path.rest);
    const values = soon || !path.rest.startsWith(" ") ? undefined : readValues(path.rest.slice(1));
    changes.push({ path: path.word, ...(values && { values: values.values }) });
    const after = values ? values.rest : path.rest;
    const end = soon ?? readEnd(after);
    if (end) return { changes, end };
    if (!after.startsWith(", ")) return undefined;
    rest = after.slice(2);
  }
}

function readValues(text: string) {
  const from = readWord(text);
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

/** What follows the end of a reason; nothing where it does not end here. */
function afterEnd(text: string): string | undefined {
  if (text.trim() === "") return "";
  return text.startsWith("; ") ? text.slice(2) : undefined;
}
