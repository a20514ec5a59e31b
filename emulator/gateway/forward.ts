import type { Context } from "hono";
import type { Call } from "./call/call";
import { passOn } from "./call/passing";
import { Refusal } from "./call/refusal";
import { unreachable } from "./call/runtime";
import { askAgent } from "./upstream";

/** Passes a request to the agent as it is, and the answer back as it comes. */
export async function forward(c: Context<{ Bindings: { call: Call } }>): Promise<Response> {
  const { raw } = c.req;
  const { call } = c.env;
  const url = call.runtime.origin + call.path + new URL(raw.url).search;
  const answer = await askAgent({
    method: raw.method,
    url,
    headers: call.runtime.headers,
    body: raw.body,
    signal: raw.signal,
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? error : unreachable(error as NodeJS.ErrnoException);
  });
  return passOn(answer, call, { method: raw.method });
}
