import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { revisionRecordOf } from "./record";
import type { Dialect } from "../dialects";
import { schemasOf } from "../dialects/schemas";
import type { PlaneDeps } from "../deps";
import { refuse } from "../refusal";
import { accessFailures, json, jsonBody, keyAndTenant, notFound, unaccepted } from "../routes/answers";
import { recorder } from "./routes";
import type { PlaneEnvironment } from "../routes/environment";
import { deploymentPath, failureAnswer, revisionPath, revisionsQuery } from "../routes/schemas";

const common = { tags: ["Deployments (v2)"], security: keyAndTenant };
const path = "/v2/deployments/{deployment_id}/revisions";
const onePath = `${path}/{revision_id}` as const;
const beingDeleted = { 409: json(failureAnswer, "The deployment is being deleted.") };

function routesOf(dialect: Dialect) {
  const { deployment, revision, revisions, createRevisionBody } = schemasOf(dialect);
  // The last segment of the path in the documents differs from the one that clients use.
  const interrupt = (word: "interrupt" | "interruption") =>
    createRoute({
      ...common,
      method: "post",
      path: `${onePath}/${word}`,
      summary: "Interrupt Revision",
      request: { params: revisionPath },
      responses: {
        204: { description: "The rollout was interrupted; the next queued one starts." },
        ...unaccepted,
        ...notFound,
        ...accessFailures,
      },
    });
  return {
    list: createRoute({
      ...common,
      method: "get",
      path,
      summary: "List Revisions",
      request: { params: deploymentPath, query: revisionsQuery },
      responses: { 200: json(revisions, "One page, newest first."), ...notFound, ...accessFailures },
    }),
    create: createRoute({
      ...common,
      method: "post",
      path,
      summary: "Create Deployment Revision",
      request: { params: deploymentPath, body: jsonBody(createRevisionBody) },
      responses: {
        201: json(revision, "The revision."),
        ...beingDeleted,
        ...unaccepted,
        ...notFound,
        ...accessFailures,
      },
    }),
    get: createRoute({
      ...common,
      method: "get",
      path: onePath,
      summary: "Get Revision",
      request: { params: revisionPath },
      responses: { 200: json(revision, "The revision."), ...notFound, ...accessFailures },
    }),
    redeploy: createRoute({
      ...common,
      method: "post",
      path: `${onePath}/redeploy`,
      summary: "Redeploy Revision",
      request: { params: revisionPath },
      responses: {
        200: json(
          deployment,
          "The deployment, with a new revision that has the source of the specified one.",
        ),
        ...beingDeleted,
        ...unaccepted,
        ...notFound,
        ...accessFailures,
      },
    }),
    interrupts: [interrupt("interrupt"), interrupt("interruption")],
  };
}

/** Adds the routes that create, read, redeploy, and interrupt revisions. */
export function revisionRoutes(api: OpenAPIHono<PlaneEnvironment>, deps: PlaneDeps): void {
  const { store, deploymentService, supervisor, dialect } = deps;
  const { list, create, get, redeploy, interrupts } = routesOf(dialect);

  api.openapi(list, (c) => {
    const { limit, offset, status } = c.req.valid("query");
    const deployment = deploymentService.deployment(c.get("tenantId"), c.req.valid("param").deployment_id);
    const found = store.revisions.page(deployment.id, limit, offset, status?.split(","));
    const resources = found.map((revision) => revisionRecordOf(revision, deployment.source, dialect));
    return c.json({ resources, offset: offset + found.length }, 200);
  });

  api.openapi(create, (c) => {
    const { deployment_id } = c.req.valid("param");
    const revision = deploymentService.revise(c.get("tenantId"), deployment_id, c.req.valid("json"));
    const { source } = deploymentService.deployment(c.get("tenantId"), deployment_id);
    return c.json(revisionRecordOf(revision, source, dialect), 201);
  });

  api.openapi(get, (c) => {
    const { deployment_id, revision_id } = c.req.valid("param");
    const deployment = deploymentService.deployment(c.get("tenantId"), deployment_id);
    const revision = deploymentService.revision(c.get("tenantId"), deployment_id, revision_id);
    const record = revisionRecordOf(revision, deployment.source, dialect);
    deps.noteRead(revision.id);
    return c.json(record, 200);
  });

  api.openapi(redeploy, (c) => {
    const { deployment_id, revision_id } = c.req.valid("param");
    return c.json(
      recorder(deps)(deploymentService.redeploy(c.get("tenantId"), deployment_id, revision_id)),
      200,
    );
  });

  for (const interrupt of interrupts)
    api.openapi(interrupt, async (c) => {
      const { deployment_id, revision_id } = c.req.valid("param");
      const revision = deploymentService.revision(c.get("tenantId"), deployment_id, revision_id);
      const inProgress = revision.phase !== "ended";
      if (!inProgress || !(await supervisor.force(revision, "INTERRUPTED", "Interrupted by a user.")))
        throw refuse.notInProgress(revision.id, revision.status);
      return c.body(null, 204);
    });
}
