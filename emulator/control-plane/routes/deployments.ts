import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { deploymentRecordOf } from "../deployments/record";
import type { StoredDeployment } from "../store/deployments";
import type { PlaneParts } from "../parts";
import { accessFailures, json, jsonBody, keyAndTenant, notFound } from "./answers";
import type { PlaneEnvironment } from "./environment";
import {
  createBody,
  deploymentAnswer,
  deploymentPath,
  deploymentsAnswer,
  deploymentsQuery,
  failureAnswer,
  patchBody,
} from "./schemas";

const tags = ["Deployments (v2)"];
const path = "/v2/deployments";
const onePath = "/v2/deployments/{deployment_id}";

const create = createRoute({
  method: "post",
  path,
  tags,
  security: keyAndTenant,
  summary: "Create Deployment",
  request: { body: jsonBody(createBody) },
  responses: {
    201: json(deploymentAnswer, "The deployment, with its first revision."),
    409: json(failureAnswer, "The name is taken."),
    ...accessFailures,
  },
});

const list = createRoute({
  method: "get",
  path,
  tags,
  security: keyAndTenant,
  summary: "List Deployments",
  request: { query: deploymentsQuery },
  responses: { 200: json(deploymentsAnswer, "One page, oldest first."), ...accessFailures },
});

const get = createRoute({
  method: "get",
  path: onePath,
  tags,
  security: keyAndTenant,
  summary: "Get Deployment",
  request: { params: deploymentPath },
  responses: { 200: json(deploymentAnswer, "The deployment."), ...notFound, ...accessFailures },
});

const patch = createRoute({
  method: "patch",
  path: onePath,
  tags,
  security: keyAndTenant,
  summary: "Patch Deployment",
  request: { params: deploymentPath, body: jsonBody(patchBody) },
  responses: {
    200: json(deploymentAnswer, "The deployment after the change."),
    400: json(failureAnswer, "A field that cannot change would."),
    409: json(failureAnswer, "The deployment is being deleted."),
    ...notFound,
    ...accessFailures,
  },
});

const remove = createRoute({
  method: "delete",
  path: onePath,
  tags,
  security: keyAndTenant,
  summary: "Delete Deployment",
  request: { params: deploymentPath },
  responses: {
    204: { description: "Nothing of the deployment runs any more." },
    ...notFound,
    ...accessFailures,
  },
});

/** Creates, reads, changes and deletes deployments. */
export function deploymentRoutes(api: OpenAPIHono<PlaneEnvironment>, parts: PlaneParts): void {
  const { store, catalogue, removal, baseUrl } = parts;
  const record = (deployment: StoredDeployment) =>
    deploymentRecordOf(deployment, store.revisions.page(deployment.id, 1, 0)[0], baseUrl());

  api.openapi(create, (c) => c.json(record(catalogue.create(c.get("tenantId"), c.req.valid("json"))), 201));

  api.openapi(list, (c) => {
    const { limit, offset, name, name_contains, status } = c.req.valid("query");
    const filter = { name, nameContains: name_contains, status };
    const found = store.deployments.page(c.get("tenantId"), filter, limit, offset);
    return c.json({ resources: found.map(record), offset: offset + found.length }, 200);
  });

  api.openapi(get, (c) => {
    const { deployment_id } = c.req.valid("param");
    return c.json(record(catalogue.deployment(c.get("tenantId"), deployment_id)), 200);
  });

  api.openapi(patch, (c) => {
    const { deployment_id } = c.req.valid("param");
    return c.json(record(catalogue.patch(c.get("tenantId"), deployment_id, c.req.valid("json"))), 200);
  });

  api.openapi(remove, async (c) => {
    await removal.remove(c.get("tenantId"), c.req.valid("param").deployment_id);
    return c.body(null, 204);
  });
}
