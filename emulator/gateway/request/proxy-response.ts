import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { responseHeaders } from "./headers";
import type { RequestContext } from "./request-context";
import { withErrorTail, type StreamFormat } from "./truncated-stream";
import { withHeartbeat } from "./heartbeat";

/** Forwards the agent's response as it arrives. Headers in `more` override those of the response. */
export function proxyResponse(
  answer: IncomingMessage,
  context: RequestContext,
  { method = "GET", status, headers = {}, format }: ProxyOptions = {},
): Response {
  const code = status ?? answer.statusCode ?? 502;
  const empty = method === "HEAD" || [204, 205, 304].includes(code);
  if (empty) answer.resume();
  const passed = responseHeaders(answer.rawHeaders, context.client.origin, context.base);
  for (const [name, value] of Object.entries(headers)) passed.set(name, value);
  const body = empty ? null : format ? withHeartbeats(answer, context, format) : Readable.toWeb(answer);
  return new Response(body as ConstructorParameters<typeof Response>[0], { status: code, headers: passed });
}

/**
 * Returns the body of the agent's response with heartbeats in this format added. The Python runtime sends its own
 * heartbeats.
 */
export function withHeartbeats(
  answer: IncomingMessage | Promise<IncomingMessage>,
  { internalApi, clock }: Pick<RequestContext, "internalApi" | "clock">,
  format: StreamFormat,
): ReadableStream<Uint8Array> {
  const body = withErrorTail(answer, format);
  return internalApi.documented ? body : withHeartbeat(body, format.heartbeat, clock);
}

export interface ProxyOptions {
  method?: string;
  status?: number;
  headers?: Record<string, string>;
  /**
   * Format of the error at the end of an interrupted response. If omitted, the connection to the caller is closed
   * instead.
   */
  format?: StreamFormat;
}
