import { z } from "zod";
import { identifier } from "./identifier";

/**
 * Source of a deployment, as sent in `source_config`. It has the fields of all dialects. Each dialect's table lists the
 * fields that it accepts.
 */
export const wireSourceConfig = z.object({
  integration_id: z.string().nullish(),
  repo_url: z.string().nullish(),
  deployment_type: z.string().nullish(),
  build_on_push: z.boolean().nullish(),
  custom_url: z.string().nullish(),
  resource_spec: z.record(z.string(), z.unknown()).nullish(),
  listener_id: z.string().nullish(),
  listener_config: z.record(z.string(), z.unknown()).nullish(),
  install_command: z.string().nullish(),
  build_command: z.string().nullish(),
  template_id: z.string().nullish(),
});

/** Source of one revision, as sent in `source_revision_config`, with the fields of all dialects. */
export const wireSourceRevisionConfig = z.object({
  repo_ref: z.string().nullish(),
  graph_config_path: z.string().nullish(),
  langgraph_config_path: z.string().nullish(),
  image_uri: z.string().nullish(),
  source_tarball_path: z.string().nullish(),
});

/** Source of one revision, as servers return it. Some servers report the commit that a branch or tag resolved to. */
export const recordedSourceRevisionConfig = wireSourceRevisionConfig.extend({
  repo_commit_sha: z.string().nullish(),
});

/** Reference to a secret in the cluster that runs the agent. The secret itself is not sent. */
export const wireSecretReference = z.object({
  name: z.string(),
  secret_name: z.string(),
  secret_key: z.string(),
});

/** Deployment sizes of the public service. */
export const deploymentTiers = [
  "SERVERLESS_S",
  "SERVERLESS_M",
  "SERVERLESS_L",
  "DEDICATED_S",
  "DEDICATED_M",
  "DEDICATED_L",
] as const;

/** Environment secret as a server returns it: in plain text, masked, or without its value. */
const recordedSecret = z.object({ name: z.string(), value: z.string().nullish() });

/** Environment secret as it is sent, in plain text. Environment variables cannot contain null bytes. */
export const wireSecret = recordedSecret.extend({
  name: z.string().min(1),
  value: z.string().refine((value) => !value.includes("\0"), "Value should not contain a null byte"),
});

/** Stages of an agent's life cycle. */
export const agentEnvironments = ["development", "staging", "production"] as const;

/** Agent and environment of a deployment. Clients can use them instead of a name. */
export const wireAgent = z.object({ agent_id: z.string().min(1), environment: z.enum(agentEnvironments) });

/** Body of `POST /v2/deployments`. */
export const createDeploymentBody = z.object({
  /** Name of the deployment; omitted if `agent` is set, because the server then generates a name. */
  name: z.string().min(1).nullish(),
  agent: wireAgent.nullish(),
  source: z.string().min(1),
  source_config: wireSourceConfig,
  source_revision_config: wireSourceRevisionConfig,
  secrets: z.array(wireSecret).nullish(),
  secret_references: z.array(wireSecretReference).nullish(),
  shareable: z.boolean().nullish(),
  route_through_gateway: z.boolean().nullish(),
});

/** Body of `PATCH /v2/deployments/{deployment_id}`. All fields are optional; null means "unchanged". */
export const patchDeploymentBody = z.object({
  /** Current name of the deployment; a request cannot change it. The same applies to `source`. */
  name: z.string().nullish(),
  source: z.string().nullish(),
  source_config: wireSourceConfig.nullish(),
  source_revision_config: wireSourceRevisionConfig.nullish(),
  secrets: z.array(wireSecret).nullish(),
  display_name: z.string().min(1).nullish(),
  revision_source: z.string().nullish(),
  secret_references: z.array(wireSecretReference).nullish(),
  tracked_repo_ref: z.string().min(1).nullish(),
  deployment_tier: z.enum(deploymentTiers).nullish(),
  route_through_gateway: z.boolean().nullish(),
});

/** Body of `PATCH /v2/deployments/{deployment_id}/resource-tiers`: one size for each part; null means "unchanged". */
export const resourceTiersBody = z.object({
  compute_tier: z.enum(deploymentTiers).nullish(),
  database_tier: z.enum(deploymentTiers).nullish(),
});

/**
 * Body of `POST /v2/deployments/{deployment_id}/revisions`. Missing or null fields keep the values of the previous
 * revision.
 */
export const createRevisionBody = z.object({
  source_config: wireSourceConfig.nullish(),
  source_revision_config: wireSourceRevisionConfig.nullish(),
  secrets: z.array(wireSecret).nullish(),
  secret_references: z.array(wireSecretReference).nullish(),
});

/**
 * Deployment record as servers return it. The interface document guarantees only `id` and `latest_revision_id`, so all
 * other fields are optional.
 */
export const deploymentRecord = z.object({
  id: identifier,
  latest_revision_id: identifier.nullish(),
  active_revision_id: identifier.nullish(),
  tenant_id: z.string().nullish(),
  name: z.string().nullish(),
  display_name: z.string().nullish(),
  /** Agent and environment. The interface document specifies only that this value is an object. */
  agent: z.object({ agent_id: z.string().nullish(), environment: z.string().nullish() }).nullish(),
  source: z.string().nullish(),
  source_config: wireSourceConfig.extend({ repo_branch: z.string().nullish() }).nullish(),
  source_revision_config: recordedSourceRevisionConfig.nullish(),
  secrets: z.array(recordedSecret).nullish(),
  secret_references: z.array(wireSecretReference).nullish(),
  shareable: z.boolean().nullish(),
  route_through_gateway: z.boolean().nullish(),
  deployment_tier: z.string().nullish(),
  compute_tier: z.string().nullish(),
  database_tier: z.string().nullish(),
  /**
   * True for the preview deployment of a pull request. Such a deployment is a child of another deployment, and is
   * created and deleted with the pull request.
   */
  is_preview: z.boolean().nullish(),
  status: z.string().nullish(),
  url: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});

/** Response of `POST /v2/deployments/{deployment_id}/upload-url`. */
export const uploadOffer = z.object({
  upload_url: z.string().min(1),
  /** Value for `source_tarball_path` after the archive has been uploaded. */
  object_path: z.string().min(1),
  /** Headers that the upload must send. */
  upload_headers: z.record(z.string(), z.string()).nullish(),
});

/** Response of `GET /v2/deployments`. The next page starts at `offset`. */
export const deploymentList = z.object({
  resources: z.array(deploymentRecord),
  offset: z.number().int().nullish(),
});

export type WireSourceConfig = z.infer<typeof wireSourceConfig>;
export type WireSourceRevisionConfig = z.infer<typeof wireSourceRevisionConfig>;
export type WireSecretReference = z.infer<typeof wireSecretReference>;
export type DeploymentTier = (typeof deploymentTiers)[number];
export type CreateRevisionBody = z.infer<typeof createRevisionBody>;
export type WireAgent = z.infer<typeof wireAgent>;
export type WireSecret = z.infer<typeof wireSecret>;
export type CreateDeploymentBody = z.infer<typeof createDeploymentBody>;
export type PatchDeploymentBody = z.infer<typeof patchDeploymentBody>;
export type ResourceTiersBody = z.infer<typeof resourceTiersBody>;
/** Status of a deployment itself. It does not indicate whether a revision serves requests. */
export type DeploymentStatus =
  "AWAITING_DATABASE" | "READY" | "UNUSED" | "AWAITING_DELETE" | "AWAITING_FINAL_DELETE" | "UNKNOWN";
export type UploadOffer = z.infer<typeof uploadOffer>;
export type DeploymentRecord = z.infer<typeof deploymentRecord>;

/** True if the record describes a deployment that is being deleted. */
export function isBeingDeleted(record: DeploymentRecord): boolean {
  return record.status === "AWAITING_DELETE" || record.status === "AWAITING_FINAL_DELETE";
}
