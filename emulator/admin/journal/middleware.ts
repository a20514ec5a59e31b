import { isJsonObject, sizeText } from "../../../wire";
import type { Context, MiddlewareHandler } from "hono";
import type { Clock } from "../../clock";
import type { PlaneEnvironment } from "../../control-plane/routes/environment";
import { brokenConnections } from "../faults/middleware";
import type { Journal } from "./journal";
import { masked, maskedText, secretValues } from "./masking";
import { takesUploads } from "../../control-plane/uploads/path";
import { nestsTooDeeply } from "../../nesting";

/**
 * Records every request in the journal.
 *
 * @param keys - All API keys. They never appear in the journal.
 */
export function keepJournal(
  journal: Journal,
  clock: Clock,
  keys: readonly string[],
): MiddlewareHandler<PlaneEnvironment> {
  return async (c, next) => {
    const time = new Date(clock.now()).toISOString();
    const sent = await bodyOf(c);
    await next();
    const query = c.req.query();
    const values = secretValues([sent.json, query], keys);
    const hide = (text: string): string => maskedText(text, values);
    const fault = c.get("fault");
    const reset = fault === "reset" || brokenConnections.has(c.res);
    const understood = c.get("understood");
    const body = sent.shown(values, hide);
    journal.add({
      time,
      method: c.req.method,
      path: hide(c.req.path),
      query: masked(query, values) as Record<string, string>,
      status: reset ? 0 : c.res.status,
      ...(body === undefined ? {} : { body }),
      unknownFields: understood === undefined ? [] : unknownFields(sent.json, understood, hide),
      ...(fault ? { fault } : {}),
    });
  };
}

/** Records every request to an agent server in the journal, without the body of the request. */
export function keepAgentJournal(
  journal: Journal,
  clock: Clock,
  keys: readonly string[],
): MiddlewareHandler<PlaneEnvironment> {
  return async (c, next) => {
    const time = new Date(clock.now()).toISOString();
    await next();
    const query = c.req.query();
    const values = secretValues([query], keys);
    const fault = c.get("fault");
    const reset = fault === "reset" || brokenConnections.has(c.res);
    journal.add({
      time,
      method: c.req.method,
      path: maskedText(c.req.path, values),
      query: masked(query, values) as Record<string, string>,
      status: reset ? 0 : c.res.status,
      unknownFields: [],
      ...(fault ? { fault } : {}),
    });
  };
}

async function bodyOf(c: Context<PlaneEnvironment>): Promise<SentBody> {
  // An upload may be long, and is read as it arrives.
  if (takesUploads(c.req.path)) return { shown: () => "[an upload]" };
  return sentBody(c.req.method === "GET" || c.req.method === "HEAD" ? "" : await c.req.text());
}

/**
 * Maximum length of a recorded body, because the journal is kept in memory. For a longer body, only its length and the
 * names of its fields are recorded.
 */
const longestBody = 16 * 1024;

/** Body of a request, with the part of it that the journal records. */
interface SentBody {
  /** Parsed body; absent if it cannot be parsed. */
  json?: unknown;
  /** Returns the part of the body that can be recorded, or `undefined` if there was no body. */
  shown(values: readonly string[], hide: (text: string) => string): unknown;
}

/** Parses the body of a request. */
function sentBody(text: string): SentBody {
  if (text === "") return { shown: () => undefined };
  if (nestsTooDeeply(text)) return { shown: () => `[${text.length} characters, nested too deeply to keep]` };
  const json = parsed(text);
  // The body is not recorded, because the positions of secrets in it are unknown.
  if (json === undefined) return { shown: () => `[${sizeText(Buffer.byteLength(text))} that are not JSON]` };
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

/**
 * Returns the paths of the fields that parsing dropped as unknown.
 *
 * @param hide - Redacts secrets in a path.
 * @returns the first paths, and the number of omitted ones.
 */
function unknownFields(sent: unknown, understood: unknown, hide: (text: string) => string): string[] {
  return named(dropped(sent, understood, ""), hide);
}

function* dropped(sent: unknown, understood: unknown, path: string): Generator<string> {
  if (Array.isArray(sent) && Array.isArray(understood))
    for (const [index, item] of sent.entries()) yield* dropped(item, understood[index], `${path}[${index}]`);
  else if (isJsonObject(sent) && isJsonObject(understood))
    for (const [key, value] of Object.entries(sent)) {
      const place = path ? `${path}.${key}` : key;
      if (key in understood) yield* dropped(value, understood[key], place);
      else yield place;
    }
}

/** Maximum number of names in an entry; the rest are only counted. */
const mostNames = 50;
const longestName = 200;

/**
 * Returns client-chosen names, limited in number and length.
 *
 * @param hide - Redacts secrets in a name.
 */
function named(names: Iterable<string>, hide: (text: string) => string): string[] {
  const shown: string[] = [];
  let others = 0;
  for (const name of names)
    // Long names are not truncated, because half of a secret would no longer be recognized.
    if (shown.length < mostNames)
      shown.push(name.length > longestName ? `[${name.length} characters]` : hide(name));
    else others += 1;
  return others > 0 ? [...shown, `and ${others} more`] : shown;
}
