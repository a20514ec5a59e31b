import { z } from "zod";

/** Where the source of a deployment comes from, as it travels in `source_config`. */
export const wireSourceConfig = z.object({
  integration_id: z.string().nullish(),
  repo_url: z.string().nullish(),
  deployment_type: z.string().nullish(),
  build_on_push: z.boolean().nullish(),
  custom_url: z.string().nullish(),
  resource_spec: z.record(z.string(), z.unknown()).nullish(),
});

/** What one revision is built from, as it travels in `source_revision_config`. */
export const wireSourceRevisionConfig = z.object({
  repo_ref: z.string().nullish(),
  graph_config_path: z.string().nullish(),
  image_uri: z.string().nullish(),
});

/** One environment secret; the service takes and returns the value in clear. */
export const wireSecret = z.object({ name: z.string(), value: z.string() });

/** Body of `POST /v2/deployments`. */
export const createDeploymentBody = z.object({
  name: z.string().min(1),
  source: z.string().min(1),
  source_config: wireSourceConfig,
  source_revision_config: wireSourceRevisionConfig,
  secrets: z.array(wireSecret).nullish(),
});

/** Body of `PATCH /v2/deployments/{deployment_id}`: any part may be missing; a null part means "unchanged". */
export const patchDeploymentBody = z.object({
  source_config: wireSourceConfig.nullish(),
  source_revision_config: wireSourceRevisionConfig.nullish(),
  secrets: z.array(wireSecret).nullish(),
});

/** Life of a deployment apart from its revisions; says nothing about whether a revision serves. */
export const deploymentStatuses = [
  "AWAITING_DATABASE",
  "READY",
  "UNUSED",
  "AWAITING_DELETE",
  "AWAITING_FINAL_DELETE",
  "UNKNOWN",
] as const;

/**
 * Deployment record as servers return it. Only `id` and `latest_revision_id` are promised by the interface
 * document; a reader must live without the rest.
 */
export const deploymentRecord = z.object({
  id: z.string().min(1),
  latest_revision_id: z.string().min(1).nullish(),
  active_revision_id: z.string().nullish(),
  tenant_id: z.string().nullish(),
  name: z.string().nullish(),
  display_name: z.string().nullish(),
  source: z.string().nullish(),
  source_config: wireSourceConfig.nullish(),
  source_revision_config: wireSourceRevisionConfig.nullish(),
  secrets: z.array(wireSecret).nullish(),
  status: z.string().nullish(),
  url: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});

/** Answer of `GET /v2/deployments`; `offset` is where the next page starts. */
export const deploymentList = z.object({
  resources: z.array(deploymentRecord),
  offset: z.number().int().nullish(),
});

export type WireSourceConfig = z.infer<typeof wireSourceConfig>;
export type WireSourceRevisionConfig = z.infer<typeof wireSourceRevisionConfig>;
export type WireSecret = z.infer<typeof wireSecret>;
export type CreateDeploymentBody = z.infer<typeof createDeploymentBody>;
export type PatchDeploymentBody = z.infer<typeof patchDeploymentBody>;
export type DeploymentStatus = (typeof deploymentStatuses)[number];
export type DeploymentRecord = z.infer<typeof deploymentRecord>;
export type DeploymentList = z.infer<typeof deploymentList>;
