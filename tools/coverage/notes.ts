/** What is to be said about an operation of the control plane; one text for both dialects, or one for each. */
export type Note = string | { interface?: string; langsmith?: string };

const sizes = "the size is kept and a revision is rolled out; nothing local becomes larger";
const unserved =
  "without a serving revision, the status is `UNKNOWN` when the newest revision has failed or was interrupted: " +
  "no other documented status fits";
const reconciled = "`remote_reconciled` has no effect: all that is local is reconciled";
const lines = "`run_id` finds the lines that name the run";
const registry = "the local control plane has no registry of container images";

/** How served operations differ from their documents. */
export const differences: Readonly<Record<string, Note>> = {
  "POST /v2/deployments": {
    langsmith:
      "`integration_id` may be missing, for repositories that need none; every source is accepted, " +
      "as if the service were cloud and self-hosted at once",
  },
  "GET /v2/deployments": `\`tag_value_ids\` and \`image_version\` find nothing: local deployments have neither; ${reconciled}; ${unserved}`,
  "DELETE /v2/deployments":
    "the bodies of 200 and 207 are documented nowhere; here they name `deleted` and `missing`",
  "PATCH /v2/deployments/{deployment_id}": {
    interface: "a change of a field that cannot change is a 400, which the document leaves open",
    langsmith: "`revision_source` has no effect; `secret_references` are kept, but no cluster resolves them",
  },
  "GET /v2/deployments/{deployment_id}": unserved,
  "DELETE /v2/deployments/{deployment_id}":
    "tracing projects are left behind only where that trap is switched on; the stages last as long as asked for",
  "GET /v2/deployments/{deployment_id}/revisions": reconciled,
  "PATCH /v2/deployments/{deployment_id}/deployment-tier": sizes,
  "PATCH /v2/deployments/{deployment_id}/resource-tiers": sizes,
  "GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs": lines,
  "GET /v2/deployment-logs": lines,
  "GET /v2/deployments/{deployment_id}/logs": lines,
};

/** Why operations are not served. */
export const absences: Readonly<Record<string, Note>> = {
  "POST /v2/deployments/{deployment_id}/push-token": registry,
  "POST /v2/deployments/{deployment_id}/upload-url": {
    interface: "its document has no sources that are uploaded",
  },
  "GET /v2/auth/token-events": "no record is kept of what happens to tokens",
  "POST /v2/integrations/forge-github/picker-sessions":
    "a page of GitHub's own, which nothing local can show",
};

/** The part of a note that is about one dialect. */
export function noteFor(note: Note | undefined, dialect: "interface" | "langsmith"): string | undefined {
  return typeof note === "string" ? note : note?.[dialect];
}
