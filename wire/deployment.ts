import { z } from "zod";
import { identifier } from "./identifier";

/**
 * Where the source of a deployment comes from, as it travels in `source_config`. These are the fields of all
 * dialects; which of them a dialect knows stands in its table.
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

/** What one revision is built from, as it travels in `source_revision_config`, in all dialects. */
export const wireSourceRevisionConfig = z.object({
  repo_ref: z.string().nullish(),
  graph_config_path: z.string().nullish(),
  langgraph_config_path: z.string().nullish(),
  image_uri: z.string().nullish(),
  source_tarball_path: z.string().nullish(),
});

/** What one revision was built from, as servers return it: some report the commit that a branch or tag stood for. */
export const recordedSourceRevisionConfig = wireSourceRevisionConfig.extend({
  repo_commit_sha: z.string().nullish(),
});

/** A secret that stays where it is, in the cluster that runs the agent. */
export const wireSecretReference = z.object({
  name: z.string(),
  secret_name: z.string(),
  secret_key: z.string(),
});

/** Sizes of a deployment in the public service. */
export const deploymentTiers = [
  "SERVERLESS_S",
  "SERVERLESS_M",
  "SERVERLESS_L",
  "DEDICATED_S",
  "DEDICATED_M",
  "DEDICATED_L",
] as const;

/** One environment secret as a server returns it: in clear, masked, or without its value. */
const recordedSecret = z.object({ name: z.string(), value: z.string().nullish() });

/** One environment secret as it is sent, in clear. No environment variable can hold a null byte. */
export const wireSecret = recordedSecret.extend({
  name: z.string().min(1),
  value: z.string().refine((value) => !value.includes("\0"), "Value should not contain a null byte"),
});

/** Where an agent stands: what of it developers, testers or users see. */
export const agentEnvironments = ["development", "staging", "production"] as const;

/** An agent and the environment that a deployment is for, by which clients find it in place of a name. */
export const wireAgent = z.object({ agent_id: z.string().min(1), environment: z.enum(agentEnvironments) });

/** Body of `POST /v2/deployments`. */
export const createDeploymentBody = z.object({
  /** Missing where `agent` is given: the server then makes up a name. */
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

/** Body of `PATCH /v2/deployments/{deployment_id}`: any part may be missing; a null part means "unchanged". */
export const patchDeploymentBody = z.object({
  /** May be repeated, not changed; `source` too. */
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

/** Body of `PATCH /v2/deployments/{deployment_id}/resource-tiers`: sizes part by part; null keeps one. */
export const resourceTiersBody = z.object({
  compute_tier: z.enum(deploymentTiers).nullish(),
  database_tier: z.enum(deploymentTiers).nullish(),
});

/** Body of `POST /v2/deployments/{deployment_id}/revisions`; what is missing or null is as in the revision before. */
export const createRevisionBody = z.object({
  source_config: wireSourceConfig.nullish(),
  source_revision_config: wireSourceRevisionConfig.nullish(),
  secrets: z.array(wireSecret).nullish(),
  secret_references: z.array(wireSecretReference).nullish(),
});

/**
 * Deployment record as servers return it. Only `id` and `latest_revision_id` are promised by the interface
 * document; a reader must live without the rest.
 */
export const deploymentRecord = z.object({
  id: identifier,
  latest_revision_id: identifier.nullish(),
  active_revision_id: identifier.nullish(),
  tenant_id: z.string().nullish(),
  name: z.string().nullish(),
  display_name: z.string().nullish(),
  /** Documents say of it that it is an object, and no more. */
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
  /** A build of a pull request: a child of another deployment, which comes and goes with it. */
  is_preview: z.boolean().nullish(),
  status: z.string().nullish(),
  url: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});

/** Answer of `POST /v2/deployments/{deployment_id}/upload-url`. */
export const uploadOffer = z.object({
  upload_url: z.string().min(1),
  /** What `source_tarball_path` is to say once the archive is there. */
  object_path: z.string().min(1),
  /** Headers that the upload has to have. */
  upload_headers: z.record(z.string(), z.string()).nullish(),
});

/** Answer of `GET /v2/deployments`; `offset` is where the next page starts. */
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
/** Life of a deployment apart from its revisions; says nothing about whether a revision serves. */
export type DeploymentStatus =
  "AWAITING_DATABASE" | "READY" | "UNUSED" | "AWAITING_DELETE" | "AWAITING_FINAL_DELETE" | "UNKNOWN";
export type UploadOffer = z.infer<typeof uploadOffer>;
export type DeploymentRecord = z.infer<typeof deploymentRecord>;
