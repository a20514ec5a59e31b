import type { Context } from "hono";
import type { RequestContext } from "./request/request-context";
import { eventStream } from "./request/truncated-stream";
import { proxyResponse } from "./request/proxy-response";
import { Refusal } from "./request/refusal";
import { unreachable } from "./request/agent-client";
import { sendToAgent } from "./request/agent-request";

/** Documented streams that the runtime serves itself. */
const eventStreams = /^\/threads\/[^/]+\/stream\/events$/;

/** Forwards a request to the agent unchanged, and streams the answer back. */
export async function forward(c: Context<{ Bindings: { context: RequestContext } }>): Promise<Response> {
  const { raw } = c.req;
  const { context } = c.env;
  const url = context.client.origin + context.path + new URL(raw.url).search;
  const answer = await sendToAgent({
    method: raw.method,
    url,
    headers: context.client.headers,
    body: raw.body,
    signal: raw.signal,
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? error : unreachable(error as NodeJS.ErrnoException);
  });
  const isEventStream =
    eventStreams.test(context.path) && answer.headers["content-type"]?.startsWith("text/event-stream");
  return proxyResponse(answer, context, {
    method: raw.method,
    ...(isEventStream && { format: eventStream }),
  });
}
