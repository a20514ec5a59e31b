import { OpenAPIHono } from "@hono/zod-openapi";
import { Hono, type MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { StorageFault } from "../../storage/storage-fault";
import { requireAnyScheme, requireCaller } from "../access/guard";
import type { PlaneDeps } from "../deps";
import { selfHostedPrefix } from "../prefix";
import { Refusal } from "../refusal";
import { refuseDeepBodies, refuseLargeBodies } from "../validation/bodies";
import { inertHeaders } from "../../notice";
import { validationItems } from "../validation/items";
import {
  installationPage,
  integrationPaths,
  integrationRoutesV1,
  integrationRoutesV2,
} from "../integrations/routes";
import { listenerPaths, listenerRoutes } from "../listeners/routes";
import { connectionRoutes } from "../authentication/connection-routes";
import { authenticatePath, authenticationRoutes } from "../authentication/routes";
import { browserCallbacks, callbackRoutes } from "../authentication/callback-routes";
import { deploymentRoutes } from "../deployments/routes";
import { documentRoutes } from "./document";
import type { PlaneEnvironment } from "./environment";
import { logRoutes } from "../logs/routes";
import { providerRoutes } from "../authentication/provider-routes";
import { tokenRoutes } from "../authentication/token-routes";
import { revisionRoutes } from "../deployments/revision-routes";
import { tierRoutes } from "../deployments/tier-routes";
import { uploadRoutes } from "../uploads/routes";

const places: Record<string, string> = { json: "body", query: "query", param: "path" };

/** Paths of the control plane itself. Requests to them are recorded in the journal and subject to injected faults. */
const watchedPaths = ["/v1/*", "/v2/*", "/uploads/*", "/openapi.json", "/docs", "/ok"];

/** Paths that accept request bodies. */
const writtenPaths = ["/v1/*", "/v2/*"];

/** Paths that require a key and a workspace. */
const guardedPaths = [
  "/v2/deployments",
  "/v2/deployments/*",
  "/v2/deployment-logs",
  "/v1/projects/:id/*",
  ...integrationPaths,
  ...listenerPaths,
];

/** Creates the application with all endpoints, at the root and under the prefix of self-hosted installations. */
export function controlPlaneApp(
  deps: PlaneDeps,
  watchers: MiddlewareHandler<PlaneEnvironment>[],
): Hono<PlaneEnvironment> {
  const api = apiRoutes(deps, watchers);
  const app = new Hono<PlaneEnvironment>();
  // Responses may not load or run anything unless their route sets another policy. On their own origins, agents set the
  // policy.
  app.use(async (c, next) => {
    await next();
    if (c.env.ownOrigin || c.res.headers.has("content-security-policy")) return;
    for (const [name, value] of Object.entries(inertHeaders)) c.res.headers.set(name, value);
  });
  app.notFound((c) => c.json({ detail: "Not Found" }, 404));
  app.onError((error, c) => {
    const refusal = refusalFor(error);
    if (refusal) return c.json({ detail: refusal.detail }, refusal.status, refusal.headers);
    deps.reportError(error);
    if (error instanceof StorageFault) return c.json({ detail: error.message }, error.status);
    return c.json({ detail: "Internal Server Error" }, 500);
  });
  app.route("/", api);
  app.route(selfHostedPrefix, api);
  return app;
}

function apiRoutes(
  deps: PlaneDeps,
  watchers: MiddlewareHandler<PlaneEnvironment>[],
): OpenAPIHono<PlaneEnvironment> {
  const api = new OpenAPIHono<PlaneEnvironment>({
    defaultHook: (result, c) => {
      if (!result.success) {
        // The validator also returns the value that was sent, although its types do not include it.
        const { data } = result as { data?: unknown };
        throw new Refusal(
          422,
          validationItems(result.error.issues, places[result.target] ?? result.target, data),
        );
      }
      if (result.target === "json") c.set("understood", result.data);
    },
  });
  for (const path of writtenPaths) api.use(path, refuseLargeBodies);
  for (const path of watchedPaths) for (const watcher of watchers) api.use(path, watcher);
  api.get("/ok", (c) => c.json({ ok: true }));
  installationPage(api, deps);
  browserCallbacks(api, deps);
  guard(api, deps);
  for (const path of writtenPaths) api.use(path, refuseDeepBodies);
  tierRoutes(api, deps);
  deploymentRoutes(api, deps);
  revisionRoutes(api, deps);
  logRoutes(api, deps);
  uploadRoutes(api, deps);
  authenticationRoutes(api, deps);
  callbackRoutes(api, deps);
  providerRoutes(api, deps);
  tokenRoutes(api, deps);
  connectionRoutes(api, deps);
  integrationRoutesV1(api, deps);
  integrationRoutesV2(api, deps);
  listenerRoutes(api, deps);
  documentRoutes(api, deps.dialect);
  refuseOtherMethods(api);
  return api;
}

/** Checks credentials before anything else, so that errors in a body are reported only to authorized callers. */
function guard(api: OpenAPIHono<PlaneEnvironment>, deps: PlaneDeps): void {
  const { organizations } = deps;
  const shown = (header: (name: string) => string | undefined) => ({
    apiKey: header("x-api-key"),
    tenantId: header("x-tenant-id"),
    authorization: header("authorization"),
  });
  api.use("/v2/auth/*", async (c, next) => {
    c.set(
      "organization",
      requireAnyScheme(
        organizations,
        shown((name) => c.req.header(name)),
        changesNothing(c.req),
      ),
    );
    await next();
  });
  for (const path of guardedPaths)
    api.use(path, async (c, next) => {
      const caller = requireCaller(
        organizations,
        shown((name) => c.req.header(name)),
        tenantWanted(deps),
      );
      c.set("organization", caller.organization);
      c.set("tenantId", caller.tenantId);
      await next();
    });
}

/**
 * True if a request only reads. Authentication is treated as a read, because it returns the user's own token or a way
 * to obtain one.
 */
function changesNothing({ method, path }: { method: string; path: string }): boolean {
  return method === "GET" || method === "HEAD" || path.endsWith(authenticatePath);
}

/** True if a request without a workspace is rejected. Otherwise, the request uses the workspace of the API key. */
function tenantWanted({ dialect, quirks }: PlaneDeps): boolean {
  return dialect.tenantHeader === "always" || quirks.organizationKeys;
}

function refuseOtherMethods(api: OpenAPIHono<PlaneEnvironment>): void {
  const methods = new Map<string, string[]>();
  for (const definition of api.openAPIRegistry.definitions)
    if (definition.type === "route") {
      const { path, method } = definition.route;
      methods.set(path, [
        ...(methods.get(path) ?? []),
        ...(method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]),
      ]);
    }
  for (const [path, allowed] of methods)
    api.all(path.replaceAll(/\{(\w+)\}/g, ":$1"), () => {
      throw new Refusal(405, "Method Not Allowed", { allow: allowed.join(", ") });
    });
}

function refusalFor(error: Error): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (!(error instanceof HTTPException)) return undefined;
  if (error.status === 415)
    return new Refusal(422, [
      {
        loc: ["body"],
        msg: "The body must be JSON: send Content-Type: application/json.",
        type: "model_attributes_type",
      },
    ]);
  // The only remaining cause is a body that cannot be parsed.
  if (error.status === 400)
    return new Refusal(422, [{ loc: ["body"], msg: "JSON decode error", type: "json_invalid" }]);
  return undefined;
}
