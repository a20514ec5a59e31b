import type { Context } from "hono";
import type { Call } from "./request/request-context";
import { events } from "./request/truncated-stream";
import { passOn } from "./request/proxy-response";
import { Refusal } from "./request/refusal";
import { unreachable } from "./request/agent-client";
import { askAgent } from "./request/agent-request";

/** Documented streams that the runtime serves itself. */
const eventStreams = /^\/threads\/[^/]+\/stream\/events$/;

/** Forwards a request to the agent unchanged, and streams the answer back. */
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
  const isEventStream =
    eventStreams.test(call.path) && answer.headers["content-type"]?.startsWith("text/event-stream");
  return passOn(answer, call, { method: raw.method, ...(isEventStream && { form: events }) });
}
