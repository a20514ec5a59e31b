import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { listenerRecordOf } from "./service";
import type { PlaneDeps } from "../deps";
import { accessFailures, json, jsonBody, keyAndTenant } from "../routes/answers";
import type { PlaneEnvironment } from "../routes/environment";
import { failureAnswer, pageQuery } from "../routes/schemas";
import {
  listenerComputeConfig,
  listenerCreateRequest,
  listenerPatchRequest,
  listenerRecord,
} from "../../../wire";

const computeConfig = listenerComputeConfig.extend({}).openapi("ListenerComputeConfig");

/** Body of a request to create a listener. */
const listenerBody = listenerCreateRequest
  .extend({ compute_config: computeConfig })
  .openapi("ListenerCreateRequest");

/** Body of a PATCH request for a listener. Immutable fields may be sent with their current value. */
const listenerPatchBody = listenerPatchRequest
  .extend({
    compute_config: computeConfig.nullish(),
    compute_type: z.string().nullish(),
    compute_id: z.string().nullish(),
  })
  .openapi("ListenerPatchRequest");

/** Schema of a listener in a response. */
const listenerAnswer = listenerRecord.extend({ compute_config: computeConfig }).openapi("Listener");

/** Schema of a page of listeners. */
const listenersAnswer = z
  .object({ resources: z.array(listenerAnswer), offset: z.number().int() })
  .openapi("ListenersList");

const listenerPath = z.object({ listener_id: z.guid() });

/** Paths that require a key and a workspace. */
export const listenerPaths = ["/v2/listeners", "/v2/listeners/*"];

const common = { tags: ["Listeners (v2)"], security: keyAndTenant };
const onePath = "/v2/listeners/{listener_id}";
const noSuch = { 404: json(failureAnswer, "The listener does not exist.") };
const one = json(listenerAnswer, "The listener.");

const list = createRoute({
  ...common,
  method: "get",
  path: "/v2/listeners",
  summary: "List Listeners",
  request: { query: pageQuery },
  responses: { 200: json(listenersAnswer, "One page, oldest first."), ...accessFailures },
});

const create = createRoute({
  ...common,
  method: "post",
  path: "/v2/listeners",
  summary: "Create Listener",
  request: { body: jsonBody(listenerBody) },
  responses: {
    201: one,
    409: json(failureAnswer, "The workspace already has a listener for this compute ID."),
    ...accessFailures,
  },
});

const get = createRoute({
  ...common,
  method: "get",
  path: onePath,
  summary: "Get Listener",
  request: { params: listenerPath },
  responses: { 200: one, ...noSuch, ...accessFailures },
});

const patch = createRoute({
  ...common,
  method: "patch",
  path: onePath,
  summary: "Patch Listener",
  request: { params: listenerPath, body: jsonBody(listenerPatchBody) },
  responses: {
    200: one,
    400: json(failureAnswer, "The request changes an immutable field."),
    ...noSuch,
    ...accessFailures,
  },
});

const remove = createRoute({
  ...common,
  method: "delete",
  path: onePath,
  summary: "Delete Listener",
  request: { params: listenerPath },
  responses: { 204: { description: "The listener was deleted." }, ...noSuch, ...accessFailures },
});

/** Adds the routes that create, read, update, and delete listeners. */
export function listenerRoutes(api: OpenAPIHono<PlaneEnvironment>, { store, listeners }: PlaneDeps): void {
  api.openapi(list, (c) => {
    const { limit, offset } = c.req.valid("query");
    const found = store.listeners.page(c.get("tenantId"), limit, offset);
    return c.json({ resources: found.map(listenerRecordOf), offset: offset + found.length }, 200);
  });

  api.openapi(create, (c) => {
    listeners.requirePlan(c.get("organization"), c.get("tenantId"));
    return c.json(listenerRecordOf(listeners.create(c.get("tenantId"), c.req.valid("json"))), 201);
  });

  api.openapi(get, (c) => {
    listeners.requirePlan(c.get("organization"), c.get("tenantId"));
    const { listener_id } = c.req.valid("param");
    return c.json(listenerRecordOf(listeners.listener(c.get("tenantId"), listener_id)), 200);
  });

  api.openapi(patch, (c) => {
    listeners.requirePlan(c.get("organization"), c.get("tenantId"));
    const { listener_id } = c.req.valid("param");
    const patched = listeners.patch(c.get("tenantId"), listener_id, c.req.valid("json"));
    return c.json(listenerRecordOf(patched), 200);
  });

  api.openapi(remove, (c) => {
    listeners.requirePlan(c.get("organization"), c.get("tenantId"));
    listeners.remove(c.get("tenantId"), c.req.valid("param").listener_id);
    return c.body(null, 204);
  });
}
