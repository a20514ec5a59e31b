import type { Context, MiddlewareHandler } from "hono";
import type { Clock } from "../../clock";
import type { PlaneEnvironment } from "../../control-plane/routes/environment";
import { brokenConnections } from "../faults/middleware";
import type { Journal } from "./journal";
import { masked, maskedText, secretValues } from "./masking";
import { takesUploads } from "../../control-plane/uploads/path";
import { type SentBody, sentBody } from "./sent-body";
import { unknownFields } from "./unknown-fields";

/**
 * Records every request in the journal.
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

/** Records every request to an agent server in the journal, without its body. */
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
