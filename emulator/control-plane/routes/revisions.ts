import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { revisionRecordOf } from "../deployments/record";
import type { PlaneParts } from "../parts";
import { accessFailures, json, keyAndTenant, notFound } from "./answers";
import type { PlaneEnvironment } from "./environment";
import {
  deploymentPath,
  logsAnswer,
  logsQuery,
  pageQuery,
  revisionAnswer,
  revisionPath,
  revisionsAnswer,
} from "./schemas";

const tags = ["Deployments (v2)"];
const path = "/v2/deployments/{deployment_id}/revisions";

const list = createRoute({
  method: "get",
  path,
  tags,
  security: keyAndTenant,
  summary: "List Revisions",
  request: { params: deploymentPath, query: pageQuery },
  responses: { 200: json(revisionsAnswer, "One page, newest first."), ...notFound, ...accessFailures },
});

const get = createRoute({
  method: "get",
  path: `${path}/{revision_id}`,
  tags,
  security: keyAndTenant,
  summary: "Get Revision",
  request: { params: revisionPath },
  responses: { 200: json(revisionAnswer, "The revision."), ...notFound, ...accessFailures },
});

const logs = createRoute({
  method: "get",
  path: `${path}/{revision_id}/logs`,
  tags,
  security: keyAndTenant,
  summary: "Get Revision Logs",
  request: { params: revisionPath, query: logsQuery },
  responses: {
    200: json(logsAnswer, "Log lines; `next_offset` leads to the next ones."),
    ...notFound,
    ...accessFailures,
  },
});

/** Reads revisions and what their rollouts said. */
export function revisionRoutes(api: OpenAPIHono<PlaneEnvironment>, parts: PlaneParts): void {
  const { store, catalogue } = parts;

  api.openapi(list, (c) => {
    const { limit, offset } = c.req.valid("query");
    const deployment = catalogue.deployment(c.get("tenantId"), c.req.valid("param").deployment_id);
    const found = store.revisions.page(deployment.id, limit, offset);
    const resources = found.map((revision) => revisionRecordOf(revision, deployment.source));
    return c.json({ resources, offset: offset + found.length }, 200);
  });

  api.openapi(get, (c) => {
    const { deployment_id, revision_id } = c.req.valid("param");
    const deployment = catalogue.deployment(c.get("tenantId"), deployment_id);
    const revision = catalogue.revision(c.get("tenantId"), deployment_id, revision_id);
    const record = revisionRecordOf(revision, deployment.source);
    parts.noteRead(revision.id);
    return c.json(record, 200);
  });

  api.openapi(logs, (c) => {
    const { deployment_id, revision_id } = c.req.valid("param");
    const { type, level, query, order, limit, offset } = c.req.valid("query");
    const revision = catalogue.revision(c.get("tenantId"), deployment_id, revision_id);
    const lines = store.logs.page(revision.id, { type, level, query }, order, limit, offset);
    const entries = lines.map((line) => ({
      id: String(line.sequence),
      timestamp: new Date(line.at).toISOString(),
      level: line.level,
      message: line.message,
    }));
    const last = lines.at(-1);
    return c.json(
      { logs: entries, next_offset: last && lines.length === limit ? String(last.sequence) : null },
      200,
    );
  });
}
