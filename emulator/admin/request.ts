import type { Context } from "hono";
import type { z } from "zod";
import { Refusal } from "../control-plane/refusal";
import type { PlaneEnvironment } from "../control-plane/routes/environment";
import { refuseDeepJson } from "../control-plane/validation/bodies";
import { validationItems } from "../control-plane/validation/items";

/** Context of an admin API route. */
export type AdminContext = Context<PlaneEnvironment>;

/** Returns the request body as parsed by the schema. A missing body is treated as an empty object. */
export async function bodyOf<Body>(c: AdminContext, schema: z.ZodType<Body>): Promise<Body> {
  const text = await c.req.text();
  refuseDeepJson(text);
  try {
    return valid(schema, text === "" ? {} : JSON.parse(text), "body");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Refusal(422, [{ loc: ["body"], msg: "JSON decode error", type: "json_invalid" }]);
  }
}

/** Returns the value as parsed by the schema. */
export function valid<Value>(schema: z.ZodType<Value>, sent: unknown, place: string): Value {
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  throw new Refusal(422, validationItems(parsed.error.issues, place, sent));
}

/** Returns the response to an action that has no result. */
export function done(c: AdminContext, _nothing: void): Response {
  return c.body(null, 204);
}
