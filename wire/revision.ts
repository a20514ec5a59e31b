import { z } from "zod";
import { identifier } from "./identifier";
import { recordedSourceRevisionConfig } from "./deployment";

/**
 * Revision statuses. Servers may add others. All statuses count as in progress except `DEPLOYED`, `*FAILED`, and the
 * `supersededStatuses` of the dialect.
 */
export const revisionStatuses = [
  "CREATING",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "AWAITING_DEPLOY",
  "DEPLOYING",
  "DEPLOYED",
  "CREATE_FAILED",
  "BUILD_FAILED",
  "DEPLOY_FAILED",
  "SKIPPED",
  "INTERRUPTED",
  "UNKNOWN",
] as const;

/** Revision record as servers return it; only `id` and `status` are required. */
export const revisionRecord = z.object({
  id: identifier,
  status: z.string().min(1),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  status_message: z.string().nullish(),
  source: z.string().nullish(),
  source_revision_config: recordedSourceRevisionConfig.nullish(),
});

/** Response of `GET /v2/deployments/{deployment_id}/revisions`, newest first. */
export const revisionList = z.object({
  resources: z.array(revisionRecord),
  offset: z.number().int().nullish(),
});

/** One line of a build or runtime log. */
export const revisionLogEntry = z.object({
  id: z.string().nullish(),
  timestamp: z.union([z.string(), z.number()]).nullish(),
  level: z.string().nullish(),
  message: z.string(),
});

/** Response of `GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs`. */
export const revisionLogs = z.object({
  logs: z.array(revisionLogEntry).default([]),
  next_offset: z.string().nullish(),
});

export type RevisionStatus = (typeof revisionStatuses)[number];
export type RevisionRecord = z.infer<typeof revisionRecord>;
export type RevisionLogEntry = z.infer<typeof revisionLogEntry>;
export type RevisionLogs = z.infer<typeof revisionLogs>;
