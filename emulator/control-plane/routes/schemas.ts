import { z } from "@hono/zod-openapi";
import {
  authenticateRequest,
  authenticateResponse,
  createDeploymentBody,
  deploymentRecord,
  failure,
  patchDeploymentBody,
  revisionLogEntry,
  revisionLogs,
  revisionRecord,
  validationFailure,
  validationItem,
  wireSecret,
  wireSourceConfig,
  wireSourceRevisionConfig,
} from "../../../provider/control-plane/wire";

// The wire schemas under the names they have in the published document. `extend` makes copies, which alone may be
// named: the originals belong to the provider.
const secret = wireSecret.extend({}).openapi("Secret");
const sourceConfig = wireSourceConfig.extend({}).openapi("SourceConfig");
const sourceRevisionConfig = wireSourceRevisionConfig.extend({}).openapi("SourceRevisionConfig");

/** Body of a create. */
export const createBody = createDeploymentBody
  .extend({
    source_config: sourceConfig,
    source_revision_config: sourceRevisionConfig,
    secrets: z.array(secret).nullish().default([]),
  })
  .openapi("DeploymentCreateRequest");

/** Body of a PATCH; `name` and `source` may be repeated, not changed. */
export const patchBody = patchDeploymentBody
  .extend({
    name: z.string().nullish(),
    source: z.string().nullish(),
    source_config: sourceConfig.nullish(),
    source_revision_config: sourceRevisionConfig.nullish(),
    secrets: z.array(secret).nullish(),
  })
  .openapi("DeploymentPatchRequest");

const builtRevisionConfig = wireSourceRevisionConfig
  .extend({ repo_commit_sha: z.string().nullable() })
  .openapi("BuiltSourceRevisionConfig");

/** A deployment in an answer. */
export const deploymentAnswer = deploymentRecord
  .extend({
    source_config: sourceConfig,
    source_revision_config: builtRevisionConfig,
    secrets: z.array(secret),
    secret_references: z
      .array(z.object({ name: z.string(), secret_name: z.string(), secret_key: z.string() }))
      .nullable(),
    shareable: z.boolean(),
    route_through_gateway: z.boolean(),
    tracer_session_id: z.string().nullable(),
    image_version: z.string().nullable(),
    is_preview: z.boolean(),
    is_managed_deep_agent: z.boolean(),
    deployment_tier: z.string().nullable(),
    compute_tier: z.string().nullable(),
    database_tier: z.string().nullable(),
    agent: z.object({ agent_id: z.string(), environment: z.string() }).nullable(),
  })
  .openapi("Deployment");

/** A revision in an answer. */
export const revisionAnswer = revisionRecord
  .extend({ source_revision_config: builtRevisionConfig.nullish() })
  .openapi("Revision");

/** A page of deployments. */
export const deploymentsAnswer = z
  .object({ resources: z.array(deploymentAnswer), offset: z.number().int() })
  .openapi("DeploymentsList");

/** A page of revisions. */
export const revisionsAnswer = z
  .object({ resources: z.array(revisionAnswer), offset: z.number().int() })
  .openapi("RevisionsList");

/** A page of log lines. */
export const logsAnswer = revisionLogs
  .extend({ logs: z.array(revisionLogEntry.extend({}).openapi("LogEntry")) })
  .openapi("RevisionLogs");

export const authenticateBody = authenticateRequest.extend({}).openapi("AuthAuthenticateRequest");
export const authenticateAnswer = authenticateResponse.extend({}).openapi("AuthAuthenticateResponse");
export const failureAnswer = failure.extend({}).openapi("Failure");
export const validationAnswer = validationFailure
  .extend({ detail: z.array(validationItem.extend({}).openapi("ValidationError")) })
  .openapi("HTTPValidationError");

const limit = z.coerce.number().int().min(1);
const offset = z.coerce.number().int().min(0).default(0);

export const deploymentPath = z.object({ deployment_id: z.guid() });
export const revisionPath = deploymentPath.extend({ revision_id: z.guid() });
export const pageQuery = z.object({ limit: limit.max(100).default(20), offset });
export const deploymentsQuery = pageQuery.extend({
  name: z.string().optional(),
  name_contains: z.string().optional(),
  status: z.string().optional(),
});
export const logsQuery = z.object({
  type: z.enum(["build", "deploy"]).optional(),
  order: z.enum(["asc", "desc"]).default("asc"),
  limit: limit.max(1000).default(50),
  /** `next_offset` of the page before. */
  offset: z.coerce.number().int().min(0).optional(),
  level: z.enum(["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"]).optional(),
  query: z.string().optional(),
});
