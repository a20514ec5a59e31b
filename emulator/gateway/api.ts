import { sizeText } from "../../wire";
import { OpenAPIHono } from "@hono/zod-openapi";
import { matchedRoutes } from "hono/route";
import { StorageFault } from "../storage/storage-fault";
import { a2aRoutes } from "./a2a/routes";
import { assistantGraphRoutes } from "./assistants/graph";
import { assistantRoutes } from "./assistants/routes";
import { assistantVersionRoutes } from "./assistants/versions";
import type { Api } from "./request/operation";
import { Refusal } from "./request/refusal";
import { cronRoutes } from "./crons/routes";
import { mcpRoutes } from "./mcp/routes";
import { singleRunRoutes } from "./runs/run-routes";
import { threadRunRoutes } from "./runs/routes";
import { statelessRunRoutes } from "./runs/stateless-routes";
import { storeRoutes } from "./store/routes";
import { documentRoutes } from "./system/docs";
import { systemRoutes } from "./system/routes";
import { bulkThreadRoutes } from "./threads/bulk-routes";
import { threadRoutes } from "./threads/routes";
import { threadStateRoutes } from "./threads/state";
import { threadStreamRoutes } from "./threads/stream";
import { knownOrRefused, methodsAmong } from "./unknown";
import type { Context } from "hono";
import type { RequestContext } from "./request/request-context";
import { eventStream } from "./request/truncated-stream";
import { proxyResponse } from "./request/proxy-response";
import { unreachable } from "./request/agent-client";
import { sendToAgent } from "./request/agent-request";

/**
 * Creates the API at the URL of a deployment: the documented operations, and all other paths that the agent serves.
 *
 * @param pathOf - Returns the path of a request relative to the URL of the deployment.
 */
export function agentServerApi(pathOf: (url: string) => string, reportError: (error: unknown) => void): Api {
  const api: Api = new OpenAPIHono({ getPath: (request) => pathOf(request.url) });
  api.use(async (c, next) => {
    const started = performance.now();
    await next();
    // The first two matched routes are this middleware and the next one.
    const path = matchedRoutes(c)[2]?.path ?? "";
    c.env.context.metrics.count(c.req.method, path, c.res.status, (performance.now() - started) / 1000);
  });
  api.onError((error, c) => {
    if (error instanceof Refusal) return c.json({ detail: error.detail }, error.status, error.headers);
    reportError(error);
    if (error instanceof StorageFault) return c.json({ detail: error.message }, error.status);
    return c.json({ detail: "Internal Server Error" }, 500);
  });
  api.use((c, next) => {
    c.req.raw = withinLimit(c.req.raw);
    // An agent that was started by another kind of runner handles its own requests.
    return c.env.context.internalApi.open ? next() : forward(c);
  });
  systemRoutes(api);
  documentRoutes(api);
  assistantRoutes(api);
  assistantVersionRoutes(api);
  assistantGraphRoutes(api);
  threadRoutes(api);
  bulkThreadRoutes(api);
  threadStateRoutes(api);
  threadStreamRoutes(api);
  cronRoutes(api);
  threadRunRoutes(api);
  singleRunRoutes(api);
  statelessRunRoutes(api);
  storeRoutes(api);
  mcpRoutes(api);
  a2aRoutes(api);
  // The runtime's own admin API is not exposed.
  for (const path of ["/internal", "/internal/*"]) api.all(path, (c) => c.json({ detail: "Not Found" }, 404));
  const methodsOf = methodsAmong(api.routes);
  api.all("*", async (c) => knownOrRefused(c, await forward(c), methodsOf));
  return api;
}

/** Maximum size of a request body that is forwarded to an agent, in bytes. */
const largestBody = 25 * 1024 * 1024;

// The rest of the request is not read, so the connection cannot be reused.
const tooLarge = () =>
  new Refusal(413, `The body is larger than ${sizeText(largestBody)}.`, { Connection: "close" });

/**
 * Returns the request with a body that fails when it exceeds the limit. Throws if the declared length exceeds the
 * limit.
 */
function withinLimit(request: Request): Request {
  if (request.body === null) return request;
  const announced = request.headers.get("content-length");
  // The HTTP server never reads more than the declared length.
  if (announced !== null && Number(announced) <= largestBody) return request;
  if (announced !== null) throw tooLarge();
  const { url, method, headers, signal } = request;
  const body = request.body.pipeThrough(counting());
  return new Request(url, { method, headers, signal, body, duplex: "half" });
}

function counting(): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > largestBody) controller.error(tooLarge());
      else controller.enqueue(chunk);
    },
  });
}

/** Matches documented event streams that the runtime serves itself. */
const eventStreams = /^\/threads\/[^/]+\/stream\/events$/;

/** Forwards a request to the agent unchanged, and streams the response back. */
async function forward(c: Context<{ Bindings: { context: RequestContext } }>): Promise<Response> {
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
