import { z } from "@hono/zod-openapi";
import { revisionLogEntry, revisionLogs } from "../../../wire";
import { deploymentPath, revisionPath } from "../routes/schemas";

export { deploymentPath, revisionPath } from "../routes/schemas";

/** Path parameter of the older paths, which refer to a deployment as a project. */
export const projectPath = z.object({ project_id: deploymentPath.shape.deployment_id });
export const projectRevisionPath = projectPath.extend({ revision_id: revisionPath.shape.revision_id });

const entry = revisionLogEntry.extend({}).openapi("LogEntry");

/** Schema of a page of log lines. */
export const logsAnswer = revisionLogs.extend({ logs: z.array(entry) }).openapi("LogsResponse");

/** Schema of a page of log lines in the format of `GET /v2/deployment-logs`. */
export const logItemsAnswer = z
  .object({ items: z.array(entry), next_cursor: z.string().nullable() })
  .openapi("DeploymentLogsList");

const order = z.enum(["asc", "desc"]).default("asc");
const moment = z.iso.datetime({ offset: true, local: true });
const type = z.enum(["build", "deploy"]);

const narrowing = {
  start_time: moment.optional(),
  end_time: moment.optional(),
  query: z.string().optional(),
  level: z.enum(["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]).optional(),
  /** Includes only lines that contain the ID of this run. */
  run_id: z.string().optional(),
};

const cursor = z.coerce.number().int().min(0);

/** Query for all logs of a deployment. */
export const deploymentLogsQuery = z.strictObject({
  ...narrowing,
  type: type.optional(),
  order,
  limit: z.coerce.number().int().min(1).max(1000).default(50),
  /** Offset of the page, from the `next_offset` of the previous page. */
  offset: cursor.optional(),
});

/** Returns the query schema for the log of a revision. */
export function logsQuery(typeRequired: boolean): typeof deploymentLogsQuery {
  return typeRequired
    ? (deploymentLogsQuery.extend({ type }) as unknown as typeof deploymentLogsQuery)
    : deploymentLogsQuery;
}

/** Query of `GET /v2/deployment-logs`. */
export const logItemsQuery = z.strictObject({
  ...narrowing,
  deployment_id: deploymentPath.shape.deployment_id,
  revision_id: revisionPath.shape.revision_id.optional(),
  log_type: z.enum(["BUILD", "DEPLOY"]).default("DEPLOY"),
  sort_order: order,
  page_size: z.coerce.number().int().min(1).max(100).default(20),
  /** Cursor of the page, from the `next_cursor` of the previous page. */
  cursor: cursor.optional(),
});

/**
 * Body of requests to the older paths. It has the same fields as the query for the logs of a deployment, and most of
 * them may be null.
 */
export const legacyLogsBody = z.object({
  order,
  limit: z.number().int().min(1).max(1000).default(50),
  offset: cursor.nullish(),
  level: narrowing.level.nullable(),
  query: z.string().nullish(),
  start_time: moment.nullish(),
  end_time: moment.nullish(),
});
