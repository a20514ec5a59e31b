import { nestsTooDeeply } from "../../nesting";
import { masked } from "./masking";
import { named } from "./naming";

/**
 * Maximum length of a body that is kept, since the journal is in memory; of a longer one, only the length and the
 * subject are kept.
 */
const longestBody = 16 * 1024;

/** Body of a request, as the journal reads it. */
export interface SentBody {
  /** Parsed body; absent if it cannot be parsed. */
  json?: unknown;
  /** Returns the part of it that can be kept; `undefined` if there was no body. */
  shown(values: readonly string[], hide: (text: string) => string): unknown;
}

/** Reads a body as sent. */
export function sentBody(text: string): SentBody {
  if (text === "") return { shown: () => undefined };
  if (nestsTooDeeply(text)) return { shown: () => `[${text.length} characters, nested too deeply to keep]` };
  const json = parsed(text);
  // Not shown at all: the position of secrets in it is unknown.
  if (json === undefined) return { shown: () => `[${Buffer.byteLength(text)} bytes that are not JSON]` };
  if (text.length <= longestBody) return { json, shown: (values) => masked(json, values) };
  return {
    json,
    shown: (_values, hide) => `[${text.length} characters, too long to keep${fieldsOf(json, hide)}]`,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(json: unknown, hide: (text: string) => string): string {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return "";
  return `; fields: ${named(Object.keys(json), hide).join(", ")}`;
}
