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
  const { pathname, search } = new URL(raw.url);
  const url =
    call.runtime.origin + (pathname.slice(pathname.indexOf(call.base) + call.base.length) || "/") + search;
  const answer = await askAgent({
    method: raw.method,
    url,
    headers: call.runtime.headers,
    body: raw.body,
    signal: raw.signal,
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? error : unreachable(error as NodeJS.ErrnoException);
  });
  const response = passOn(answer, call, { method: raw.method });
  // Documents of the agent share the origin of the page, and must not act as the page.
  response.headers.append("content-security-policy", "sandbox");
  response.headers.set("x-content-type-options", "nosniff");
  return response;
}
