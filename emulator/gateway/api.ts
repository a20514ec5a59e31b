import { OpenAPIHono } from "@hono/zod-openapi";
import { matchedRoutes } from "hono/route";
import { StorageFault } from "../storage/storage-fault";
import { a2aRoutes } from "./a2a/routes";
import { assistantGraphRoutes } from "./assistants/graph";
import { assistantRoutes } from "./assistants/routes";
import { assistantVersionRoutes } from "./assistants/versions";
import { withinLimit } from "./body-limit";
import type { Api } from "./request/operation";
import { Refusal } from "./request/refusal";
import { cronRoutes } from "./crons/routes";
import { forward } from "./forward";
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

/**
 * Creates the API of a deployment's URL: the documented operations, and everything else that its agent serves.
 *
 * @param pathOf - Returns the path of a request below the deployment's URL.
 */
export function agentServerApi(pathOf: (url: string) => string, reportError: (error: unknown) => void): Api {
  const api: Api = new OpenAPIHono({ getPath: (request) => pathOf(request.url) });
  api.use(async (c, next) => {
    const started = performance.now();
    await next();
    // The first two are this middleware and the next one.
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
    // An agent of another kind, as other runners start them, handles its own requests.
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
  // The runtime's own administration is not exposed.
  for (const path of ["/internal", "/internal/*"]) api.all(path, (c) => c.json({ detail: "Not Found" }, 404));
  const methodsOf = methodsAmong(api.routes);
  api.all("*", async (c) => knownOrRefused(c, await forward(c), methodsOf));
  return api;
}
