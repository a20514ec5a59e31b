import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { deploymentRecordOf } from "./record";
import type { Dialect } from "../dialects";
import { schemasOf } from "../dialects/schemas";
import type { PlaneDeps } from "../deps";
import type { StoredDeployment } from "../store/deployments";
import { accessFailures, json, jsonBody, keyAndTenant, notFound, unaccepted } from "../routes/answers";
import type { PlaneEnvironment } from "../routes/environment";
import {
  bulkDeletion,
  bulkDeletionQuery,
  deletionQuery,
  deploymentPath,
  type DeploymentsQuery,
  deploymentsQueryOf,
  failureAnswer,
} from "../routes/schemas";

const path = "/v2/deployments";
const onePath = "/v2/deployments/{deployment_id}";
const common = { tags: ["Deployments (v2)"], security: keyAndTenant };

function routesOf(dialect: Dialect) {
  const { createBody, patchBody, deployment, deployments } = schemasOf(dialect);
  return {
    create: createRoute({
      ...common,
      method: "post",
      path,
      summary: "Create Deployment",
      request: { body: jsonBody(createBody) },
      responses: {
        201: json(deployment, "The deployment, with its first revision."),
        409: json(
          failureAnswer,
          "The name is in use, or the agent already has a deployment in this environment.",
        ),
        ...unaccepted,
        ...accessFailures,
      },
    }),
    list: createRoute({
      ...common,
      method: "get",
      path,
      summary: "List Deployments",
      request: { query: deploymentsQueryOf(dialect) },
      responses: { 200: json(deployments, "One page, oldest first."), ...accessFailures },
    }),
    removeAll: createRoute({
      ...common,
      method: "delete",
      path,
      summary: "Delete Deployments",
      request: { query: bulkDeletionQuery },
      responses: {
        200: json(bulkDeletion, "All specified deployments were deleted."),
        207: json(bulkDeletion, "Some deployments were deleted. The others do not exist."),
        ...notFound,
        ...accessFailures,
      },
    }),
    get: createRoute({
      ...common,
      method: "get",
      path: onePath,
      summary: "Get Deployment",
      request: { params: deploymentPath },
      responses: { 200: json(deployment, "The deployment."), ...notFound, ...accessFailures },
    }),
    patch: createRoute({
      ...common,
      method: "patch",
      path: onePath,
      summary: "Patch Deployment",
      request: { params: deploymentPath, body: jsonBody(patchBody) },
      responses: {
        200: json(deployment, "The deployment after the change."),
        409: json(failureAnswer, "The deployment is being deleted."),
        ...unaccepted,
        ...notFound,
        ...accessFailures,
      },
    }),
    remove: createRoute({
      ...common,
      method: "delete",
      path: onePath,
      summary: "Delete Deployment",
      request: { params: deploymentPath, query: deletionQuery },
      responses: {
        204: { description: "All processes of the deployment have exited." },
        ...unaccepted,
        ...notFound,
        ...accessFailures,
      },
    }),
  };
}

/** Returns a function that creates the response for a deployment. */
export function recorder({ store, baseUrl, dialect }: PlaneDeps) {
  return (deployment: StoredDeployment) =>
    deploymentRecordOf(deployment, store.revisions.latest(deployment.id), baseUrl(), dialect);
}

/** Adds the routes that create, read, update, and delete deployments. */
export function deploymentRoutes(api: OpenAPIHono<PlaneEnvironment>, deps: PlaneDeps): void {
  const { store, deploymentService, removal } = deps;
  const { create, list, removeAll, get, patch, remove } = routesOf(deps.dialect);
  const record = recorder(deps);

  api.openapi(create, (c) =>
    c.json(record(deploymentService.create(c.get("tenantId"), c.req.valid("json"))), 201),
  );

  api.openapi(list, (c) => {
    const { limit, offset, ...filter } = c.req.valid("query");
    const found = store.deployments.page(c.get("tenantId"), filterOf(filter, deps.baseUrl()), limit, offset);
    return c.json({ resources: found.map(record), offset: offset + found.length }, 200);
  });

  api.openapi(removeAll, async (c) => {
    const { deployment_ids: ids } = c.req.valid("query");
    const result = await removal.removeAll(c.get("tenantId"), ids);
    if (result.deleted.length === 0)
      return c.json({ detail: `Deployment IDs ${result.missing.join(", ")} not found.` }, 404);
    return c.json(result, result.missing.length === 0 ? 200 : 207);
  });

  api.openapi(get, (c) => {
    const { deployment_id } = c.req.valid("param");
    return c.json(record(deploymentService.deployment(c.get("tenantId"), deployment_id)), 200);
  });

  api.openapi(patch, (c) => {
    const { deployment_id } = c.req.valid("param");
    return c.json(
      record(deploymentService.patch(c.get("tenantId"), deployment_id, c.req.valid("json"))),
      200,
    );
  });

  api.openapi(remove, async (c) => {
    const { force, delete_tracing_project } = c.req.valid("query");
    const request = { force, deleteTracingProject: delete_tracing_project };
    await removal.remove(c.get("tenantId"), c.req.valid("param").deployment_id, request);
    return c.body(null, 204);
  });
}

type DeploymentsFilterQuery = Omit<DeploymentsQuery, "limit" | "offset">;

function filterOf(query: DeploymentsFilterQuery, baseUrl: string) {
  // A URL identifies its deployment. A URL of another server does not match any deployment.
  const urlId = query.url?.startsWith(`${baseUrl}/`) ? query.url.split("/").at(-1) : undefined;
  const ids = query.deployment_ids?.split(",").map((id) => id.trim());
  return {
    name: query.name,
    nameContains: query.name_contains,
    status: query.status,
    deploymentType: query.deployment_type,
    agentId: query.agent_id,
    agentEnvironment: query.agent_environment,
    ids: query.url === undefined ? ids : [urlId ?? ""].filter((id) => !ids || ids.includes(id)),
    serving: query.url === undefined ? undefined : true,
    // Local deployments have neither tags nor image versions.
    nothing: query.tag_value_ids !== undefined || query.image_version !== undefined,
  };
}
