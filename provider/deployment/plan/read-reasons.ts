import type { Change } from "./change";
import { replacementHeadings, sentences, updateHeadings, type PlannedEffect } from "./sentences";

/** One changed field as the plan's sentences describe it. */
export type PlannedChange = Omit<Change, "effect"> & { effect: PlannedEffect };

/** A plan as its sentences describe it. */
export interface PlanSummary {
  replaces: boolean;
  /** A new revision is made because the last rollout failed. */
  afterFailure: boolean;
  resumesWait: boolean;
  changes: PlannedChange[];
  /** How many sentences were understood. */
  known: number;
  /** Sentences that this version does not know. */
  unread: string[];
}

const headings = [...replacementHeadings, ...Object.values(updateHeadings).flat()]
  // The longer one first, where one is the start of another.
  .sort((a, b) => b.text.length - a.text.length);

/** Reads the sentences of a plan, joined by `"; "`, back into what they say. Never throws. */
export function readReasons(text: string): PlanSummary {
  const plan: PlanSummary = {
    replaces: false,
    afterFailure: false,
    resumesWait: false,
    changes: [],
    known: 0,
    unread: [],
  };
  let rest = text.trim();
  while (rest !== "") {
    const read = readSentence(rest) ?? readChanges(rest) ?? skip(rest);
    plan.afterFailure ||= read.sentence === sentences.afterFailure;
    plan.resumesWait ||= read.sentence === sentences.resumesWait;
    plan.changes.push(...(read.changes ?? []));
    if (read.unread === undefined) plan.known += 1;
    else plan.unread.push(read.unread);
    rest = read.rest;
  }
  plan.replaces = plan.changes.some(({ effect, unknown }) => effect === "replace" && !unknown);
  return plan;
}

interface Read {
  rest: string;
  sentence?: string;
  changes?: PlannedChange[];
  unread?: string;
}

function readSentence(text: string): Read | undefined {
  for (const sentence of Object.values(sentences)) {
    const rest = text.startsWith(sentence) ? afterEnd(text.slice(sentence.length)) : undefined;
    if (rest !== undefined) return { sentence, rest };
  }
  return undefined;
}

function readChanges(text: string): Read | undefined {
  const heading = headings.find((one) => text.startsWith(`${one.text}: `));
  if (!heading) return undefined;
  const { effect, unknown } = heading;
  const changes: PlannedChange[] = [];
  let rest = text.slice(heading.text.length + 2);
  for (;;) {
    const listed = readListed(rest);
    if (!listed) return undefined;
    const { path, values } = listed;
    changes.push({ path, effect, ...(unknown && { unknown }), ...(values && { values }) });
    const end = afterEnd(listed.rest);
    if (end !== undefined) return { changes, rest: end };
    if (!listed.rest.startsWith(", ")) return undefined;
    rest = listed.rest.slice(2);
  }
}

function readListed(text: string) {
  const path = readWord(text);
  if (!path?.rest.startsWith(" ")) return path && { path: path.word, rest: path.rest };
  const from = readWord(path.rest.slice(1));
  if (!from?.rest.startsWith(" → ")) return undefined;
  const to = readWord(from.rest.slice(3));
  return to && { path: path.word, values: { from: from.word, to: to.word }, rest: to.rest };
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

/** What follows the end of a sentence; nothing where it does not end here. */
function afterEnd(text: string): string | undefined {
  if (text.trim() === "") return "";
  return text.startsWith("; ") ? text.slice(2) : undefined;
}

function skip(text: string): Read {
  const end = text.indexOf("; ");
  return end < 0 ? { unread: text, rest: "" } : { unread: text.slice(0, end), rest: text.slice(end + 2) };
}
