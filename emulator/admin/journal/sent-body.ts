import { nestsTooDeeply } from "../../nesting";
import { masked } from "./masking";
import { named } from "./naming";

/** The journal lives in memory: of a longer body only its length and what it is about are kept. */
const longestBody = 16 * 1024;

/** A request's body, as the journal reads it. */
export interface SentBody {
  /** Parsed; absent where it cannot be. */
  json?: unknown;
  /** Returns the part of it that can be kept; `undefined` if there was no body. */
  shown(values: readonly string[], hide: (text: string) => string): unknown;
}

/** Reads a body as it was sent. */
export function sentBody(text: string): SentBody {
  if (text === "") return { shown: () => undefined };
  if (nestsTooDeeply(text)) return { shown: () => `[${text.length} characters, nested too deeply to keep]` };
  const json = parsed(text);
  // Not shown at all: there is no telling where in it a secret is.
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
