import type { Context, MiddlewareHandler } from "hono";
import type { Clock } from "../../clock";
import type { PlaneEnvironment } from "../../control-plane/routes/environment";
import { brokenConnections } from "../faults/middleware";
import type { Journal } from "./journal";
import { masked, maskedText, secretValues } from "./masking";
import { unknownFields } from "./unknown-fields";

/** A longer body is not kept: the journal lives in memory. */
const longestBody = 256 * 1024;

/**
 * Writes every request to the journal.
 *
 * @param keys - All API keys, which the journal never shows.
 */
export function keepJournal(
  journal: Journal,
  clock: Clock,
  keys: readonly string[],
): MiddlewareHandler<PlaneEnvironment> {
  return async (c, next) => {
    const time = new Date(clock.now()).toISOString();
    const sent = await sentBody(c);
    await next();
    const query = c.req.query();
    const values = secretValues([sent, query], keys);
    const hide = (text: string): string => maskedText(text, values);
    const fault = c.get("fault");
    const reset = fault === "reset" || brokenConnections.has(c.res);
    const understood = c.get("understood");
    journal.add({
      time,
      method: c.req.method,
      path: hide(c.req.path),
      query: masked(query, values) as Record<string, string>,
      status: reset ? 0 : c.res.status,
      ...(sent === undefined ? {} : { body: masked(sent, values) }),
      unknownFields: understood === undefined ? [] : unknownFields(sent, understood).map(hide),
      ...(fault ? { fault } : {}),
    });
  };
}

async function sentBody(c: Context<PlaneEnvironment>): Promise<unknown> {
  if (c.req.method === "GET" || c.req.method === "HEAD") return undefined;
  const text = await c.req.text();
  if (text === "") return undefined;
  if (text.length > longestBody) return `[${text.length} characters, too long to keep]`;
  try {
    return JSON.parse(text);
  } catch {
    // Not shown at all: there is no telling where in it a secret is.
    return `[${Buffer.byteLength(text)} bytes that are not JSON]`;
  }
}
