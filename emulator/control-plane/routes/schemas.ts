import { z } from "@hono/zod-openapi";
import { failure, validationFailure, validationItem } from "../../../provider/control-plane/wire";

// `extend` makes copies, which alone may be named: the originals belong to the provider.
export const failureAnswer = failure.extend({}).openapi("Failure");
export const validationAnswer = validationFailure
  .extend({ detail: z.array(validationItem.extend({}).openapi("ValidationError")) })
  .openapi("HTTPValidationError");

const limit = z.coerce.number().int().min(1);
const offset = z.coerce.number().int().min(0).default(0);

export const deploymentPath = z.object({ deployment_id: z.guid() });
export const revisionPath = deploymentPath.extend({ revision_id: z.guid() });
export const pageQuery = z.object({ limit: limit.max(100).default(20), offset });
const flag = z.enum(["true", "false"]).optional();

/** Which deployments to list. What local deployments do not have matches none of them. */
export const deploymentsQuery = pageQuery.extend({
  name: z.string().optional(),
  name_contains: z.string().optional(),
  status: z.string().optional(),
  deployment_type: z.string().optional(),
  /** Joined by commas. */
  deployment_ids: z.string().optional(),
  url: z.string().optional(),
  image_version: z.string().optional(),
  tag_value_ids: z.string().optional(),
  /** Accepted; everything local is reconciled. */
  remote_reconciled: flag,
});

export const revisionsQuery = pageQuery.extend({
  /** Joined by commas. */
  status: z.string().optional(),
  /** Accepted; everything local is reconciled. */
  remote_reconciled: flag,
});

export const deletionQuery = z.object({
  /** Also removes the tracing project, which would hold the name. */
  delete_tracing_project: flag,
  /** Lets go of the record of a deployment that was deleted before. */
  force: flag,
});

export const bulkDeletionQuery = z.object({
  deployment_ids: z.preprocess(
    (sent) => (typeof sent === "string" ? [sent] : sent),
    z.array(z.guid()).min(1).max(100),
  ),
});

/** What became of a bulk delete. */
export const bulkDeletion = z.object({ deleted: z.array(z.string()), missing: z.array(z.string()) });
