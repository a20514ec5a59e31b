import { sizeText } from "../../../wire";
import type { Context, MiddlewareHandler } from "hono";
import { boundedBytes, TooManyBytes } from "../../bounded-bytes";
import { Refusal } from "../refusal";
import type { PlaneEnvironment } from "../routes/environment";
import { deepestNesting, nestsTooDeeply } from "../../nesting";

const largestBody = 10 * 1024 * 1024;

/** Rejects bodies that are too large, based on their declared length or as soon as too many bytes have arrived. */
export const refuseLargeBodies: MiddlewareHandler<PlaneEnvironment> = async (c, next) => {
  const length = c.req.header("content-length");
  if (Number(length ?? 0) > largestBody) throw tooLarge();
  if (length === undefined && mayHaveBody(c)) await readWithinLimit(c);
  await next();
};

export const refuseDeepBodies: MiddlewareHandler<PlaneEnvironment> = async (c, next) => {
  if (mayHaveBody(c)) refuseDeepJson(await c.req.text());
  await next();
};

export function refuseDeepJson(text: string): void {
  if (!nestsTooDeeply(text)) return;
  const msg = `JSON must not be nested more than ${deepestNesting} levels deep`;
  throw new Refusal(422, [{ loc: ["body"], msg, type: "json_invalid" }]);
}

async function readWithinLimit(c: Context<PlaneEnvironment>): Promise<void> {
  const { url, method, headers, body } = c.req.raw;
  if (!body) return;
  const bytes = await boundedBytes(body, largestBody).catch((error: unknown) => {
    throw error instanceof TooManyBytes ? tooLarge() : error;
  });
  c.req.raw = new Request(url, { method, headers, body: bytes });
}

function mayHaveBody(c: Context<PlaneEnvironment>): boolean {
  return c.req.method !== "GET" && c.req.method !== "HEAD";
}

function tooLarge(): Refusal {
  return new Refusal(413, `The body is larger than ${sizeText(largestBody)}.`);
}
