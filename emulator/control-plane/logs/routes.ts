import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import type { PlaneDeps } from "../deps";
import type { LogFilter, LogOwner, StoredLogLine } from "../store/logs";
import { accessFailures, json, jsonBody, keyAndTenant, notFound } from "../routes/answers";
import type { PlaneEnvironment } from "../routes/environment";
import {
  deploymentLogsQuery,
  deploymentPath,
  legacyLogsBody,
  logItemsAnswer,
  logItemsQuery,
  logsAnswer,
  logsQuery,
  projectPath,
  projectRevisionPath,
  revisionPath,
} from "./schemas";

const common = { tags: ["Deployments (v2)"], security: keyAndTenant };
const legacy = { tags: ["Projects (v1)"], security: keyAndTenant };
const answers = {
  200: json(logsAnswer, "Log lines; `next_offset` is the offset of the next page."),
  ...notFound,
  ...accessFailures,
};

const ofDeployment = createRoute({
  ...common,
  method: "get",
  path: "/v2/deployments/{deployment_id}/logs",
  summary: "List Deployment Logs",
  request: { params: deploymentPath, query: deploymentLogsQuery },
  responses: answers,
});

const entries = createRoute({
  ...common,
  method: "get",
  path: "/v2/deployment-logs",
  summary: "List Deployment Log Entries",
  request: { query: logItemsQuery },
  responses: {
    200: json(logItemsAnswer, "Log lines; `next_cursor` is the cursor of the next page."),
    ...notFound,
    ...accessFailures,
  },
});

const legacyOfRevision = (word: "build_logs" | "deploy_logs") =>
  createRoute({
    ...legacy,
    method: "post",
    path: `/v1/projects/{project_id}/revisions/{revision_id}/${word}`,
    summary: word === "build_logs" ? "List Build Logs" : "List Deploy Logs",
    request: { params: projectRevisionPath, body: jsonBody(legacyLogsBody) },
    responses: answers,
  });

const legacyOfDeployment = createRoute({
  ...legacy,
  method: "post",
  path: "/v1/projects/{project_id}/deploy_logs",
  summary: "List Deploy Logs",
  request: { params: projectPath, body: jsonBody(legacyLogsBody) },
  responses: answers,
});

/**
 * Adds the routes that read the logs of rollouts and agents, of a revision or of a deployment, at both the old and the
 * new paths.
 */
export function logRoutes(api: OpenAPIHono<PlaneEnvironment>, deps: PlaneDeps): void {
  const { deploymentService, store, dialect } = deps;

  const ofRevision = createRoute({
    ...common,
    method: "get",
    path: "/v2/deployments/{deployment_id}/revisions/{revision_id}/logs",
    summary: "List Revision Logs",
    request: { params: revisionPath, query: logsQuery(dialect.logTypeRequired) },
    responses: answers,
  });

  const page = (owner: LogOwner, asked: LogsQuery) => {
    const { order, limit, offset } = asked;
    const lines = store.logs.page(owner, filterOf(asked), order, limit, offset ?? undefined);
    const last = lines.at(-1);
    return { lines: lines.map(toWire), next: last && lines.length === limit ? String(last.sequence) : null };
  };
  const logs = (owner: LogOwner, asked: LogsQuery) => {
    const { lines, next } = page(owner, asked);
    return { logs: lines, next_offset: next };
  };

  api.openapi(ofRevision, (c) => {
    const { deployment_id, revision_id } = c.req.valid("param");
    const { id: revisionId } = deploymentService.revision(c.get("tenantId"), deployment_id, revision_id);
    return c.json(logs({ revisionId }, c.req.valid("query")), 200);
  });

  api.openapi(ofDeployment, (c) => {
    const { id } = deploymentService.deployment(c.get("tenantId"), c.req.valid("param").deployment_id);
    return c.json(logs({ deploymentId: id }, c.req.valid("query")), 200);
  });

  api.openapi(entries, (c) => {
    const { deployment_id, revision_id, log_type, sort_order, page_size, cursor, ...rest } =
      c.req.valid("query");
    const { id } = deploymentService.deployment(c.get("tenantId"), deployment_id);
    if (revision_id) deploymentService.revision(c.get("tenantId"), deployment_id, revision_id);
    const type = log_type === "BUILD" ? ("build" as const) : ("deploy" as const);
    const asked = { ...rest, type, order: sort_order, limit: page_size, offset: cursor };
    const owner = revision_id ? { revisionId: revision_id } : { deploymentId: id };
    const { lines, next } = page(owner, asked);
    return c.json({ items: lines, next_cursor: next }, 200);
  });

  for (const [word, type] of [
    ["build_logs", "build"],
    ["deploy_logs", "deploy"],
  ] as const)
    api.openapi(legacyOfRevision(word), (c) => {
      const { project_id, revision_id } = c.req.valid("param");
      const { id: revisionId } = deploymentService.revision(c.get("tenantId"), project_id, revision_id);
      return c.json(logs({ revisionId }, { ...c.req.valid("json"), type }), 200);
    });

  api.openapi(legacyOfDeployment, (c) => {
    const { id } = deploymentService.deployment(c.get("tenantId"), c.req.valid("param").project_id);
    return c.json(logs({ deploymentId: id }, { ...c.req.valid("json"), type: "deploy" }), 200);
  });
}

interface LogsQuery {
  type?: "build" | "deploy" | undefined;
  order: "asc" | "desc";
  limit: number;
  offset?: number | null | undefined;
  level?: string | null | undefined;
  query?: string | null | undefined;
  run_id?: string | null | undefined;
  start_time?: string | null | undefined;
  end_time?: string | null | undefined;
}

function filterOf(asked: LogsQuery): LogFilter {
  const moment = (text: string | null | undefined) => (text ? Date.parse(text) : undefined);
  return {
    type: asked.type,
    level: asked.level ?? undefined,
    query: asked.query ?? undefined,
    runId: asked.run_id ?? undefined,
    from: moment(asked.start_time),
    to: moment(asked.end_time),
  };
}

function toWire(line: StoredLogLine) {
  return {
    id: String(line.sequence),
    timestamp: new Date(line.at).toISOString(),
    level: line.level,
    message: line.message,
  };
}
