import { z } from "@hono/zod-openapi";
import {
  agentEnvironments,
  type DialectTable,
  failure,
  validationFailure,
  validationItem,
} from "../../../wire";

// Schemas of the provider are copied with `extend` before they are named, so that the originals do not change.
export const failureAnswer = failure.extend({}).openapi("Failure");
export const validationAnswer = validationFailure
  .extend({ detail: z.array(validationItem.extend({}).openapi("ValidationError")) })
  .openapi("HTTPValidationError");

const limit = z.coerce.number().int().min(1);
const offset = z.coerce.number().int().min(0).default(0);

export const deploymentPath = z.object({ deployment_id: z.guid() });
export const revisionPath = deploymentPath.extend({ revision_id: z.guid() });
/**
 * Query parameters for the pagination of a list. Unknown filters are rejected, because ignoring them would return a
 * wrong list.
 */
export const pageQuery = z.strictObject({ limit: limit.max(100).default(20), offset });
/** Query for a list without pagination. */
export const wholeList = z.strictObject({});
/** A boolean query parameter, in every spelling that the service accepts. */
const flag = z
  .stringbool({ truthy: ["true", "1", "on", "t", "y", "yes"], falsy: ["false", "0", "off", "f", "n", "no"] })
  .openapi({ type: "boolean" });
const off = flag.default(false).openapi({ type: "boolean", default: false });

/** Filter for deployments. A filter for a feature that local deployments do not support matches no deployment. */
const deploymentsQuery = pageQuery.extend({
  name: z.string().optional(),
  name_contains: z.string().optional(),
  status: z.string().optional(),
  deployment_type: z.string().optional(),
  /** Comma-separated IDs of the deployments to include. */
  deployment_ids: z.string().optional(),
  url: z.string().optional(),
  image_version: z.string().optional(),
  tag_value_ids: z.string().optional(),
  /** Accepted as a filter. All local deployments are considered reconciled. */
  remote_reconciled: flag.optional(),
});

const agentQuery = {
  /** ID of an agent. Excludes deployments that are being deleted, because they no longer belong to their agent. */
  agent_id: z.string().optional(),
  agent_environment: z.enum(agentEnvironments).optional(),
};

/**
 * Returns the deployment filter for a dialect, with its deployment types and, if the dialect supports agents, their
 * fields.
 */
export function deploymentsQueryOf({ deploymentTypes, fields }: DialectTable) {
  const type = deploymentTypes && z.enum(deploymentTypes as [string, ...string[]]);
  return deploymentsQuery.extend({
    ...((type && { deployment_type: type.optional() }) as object),
    ...((fields.create.includes("agent") ? agentQuery : {}) as typeof agentQuery),
  });
}

/** Filter for lists of deployments. */
export type DeploymentsQuery = z.infer<ReturnType<typeof deploymentsQueryOf>>;

export const revisionsQuery = pageQuery.extend({
  /** Comma-separated statuses of the revisions to include. */
  status: z.string().optional(),
  /** Accepted as a filter. All local revisions are considered reconciled. */
  remote_reconciled: flag.optional(),
});

export const deletionQuery = z.object({
  /** True if the tracing project, which would otherwise reserve the name, is also removed. */
  delete_tracing_project: off,
  /** True if the record of a deployment that has already been deleted is removed. */
  force: off,
});

export const bulkDeletionQuery = z.strictObject({
  deployment_ids: z.preprocess(
    (sent) => (typeof sent === "string" ? [sent] : sent),
    z.array(z.guid()).min(1).max(100),
  ),
});

/** Result of a bulk delete request. */
export const bulkDeletion = z.object({ deleted: z.array(z.string()), missing: z.array(z.string()) });
