/** Note about a control plane operation: one text for both dialects, or one for each dialect. */
export type Note = string | { interface?: string; langsmith?: string };

const sizes = "stores the size and rolls out a revision, but does not change any resources";
const unserved =
  "if no revision is active and the newest one failed or was interrupted, the status is `UNKNOWN`, because no other " +
  "documented status applies";
const reconciled = "`remote_reconciled` has no effect, because local revisions are always reconciled";
const lines = "`run_id` matches the lines that contain the ID";
const registry = "the local control plane has no registry of container images";

/** Differences between the local control plane and the documentation, by operation. */
export const differences: Readonly<Record<string, Note>> = {
  "POST /v2/deployments": {
    langsmith:
      "`integration_id` is optional for repositories that need none; all sources are accepted, both those of the public " +
      "service and those of self-hosted installations",
  },
  "GET /v2/deployments": `\`tag_value_ids\` and \`image_version\` match nothing, because local deployments have neither; ${reconciled}; ${unserved}`,
  "DELETE /v2/deployments":
    "the bodies of the 200 and 207 responses are not documented; the local control plane returns `deleted` and `missing`",
  "PATCH /v2/deployments/{deployment_id}": {
    interface: "changing an immutable field results in 400, which is not documented",
    langsmith: "`revision_source` has no effect; `secret_references` are stored, but not resolved",
  },
  "GET /v2/deployments/{deployment_id}": unserved,
  "DELETE /v2/deployments/{deployment_id}":
    "tracing projects remain only if the quirk is enabled; the durations of the deletion stages are options",
  "GET /v2/deployments/{deployment_id}/revisions": reconciled,
  "PATCH /v2/deployments/{deployment_id}/deployment-tier": sizes,
  "PATCH /v2/deployments/{deployment_id}/resource-tiers": sizes,
  "GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs": lines,
  "GET /v2/deployment-logs": lines,
  "GET /v2/deployments/{deployment_id}/logs": lines,
};

/** Reasons that the local control plane does not support operations, by operation. */
export const absences: Readonly<Record<string, Note>> = {
  "POST /v2/deployments/{deployment_id}/push-token": registry,
  "POST /v2/deployments/{deployment_id}/upload-url": {
    interface: "the interface document does not define uploaded sources",
  },
  "GET /v2/auth/token-events": "token events are not recorded",
  "POST /v2/integrations/forge-github/picker-sessions": "the picker is a GitHub page",
};

/** Returns the note for one dialect. */
export function noteFor(note: Note | undefined, dialect: "interface" | "langsmith"): string | undefined {
  return typeof note === "string" ? note : note?.[dialect];
}
