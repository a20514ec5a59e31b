import { sourceConfigNames } from "../../provider/deployment/mapping";
import { settingNames } from "../../provider/deployment/inputs/settings";

/** A record with everything that the server reports. */
export type ReportedRecord = Record<string, unknown>;

/** Fields that are inputs, or that the server keeps for itself. */
const known = {
  record: [
    "id",
    "tenant_id",
    "name",
    "source",
    "source_config",
    "source_revision_config",
    "secrets",
    "status",
    "latest_revision_id",
    "active_revision_id",
    "tracer_session_id",
    "url",
    "image_version",
    "created_at",
    "updated_at",
    "agent",
    ...Object.values(settingNames),
  ],
  sourceConfig: [...Object.values(sourceConfigNames), "repo_branch"] as string[],
  revisionConfig: [
    "repo_ref",
    "graph_config_path",
    "langgraph_config_path",
    "image_uri",
    "repo_commit_sha",
    "deepagents_version",
    "tracked_packages",
  ],
};

/** Settings of a deployment that no input can say. Not their values: what a server keeps in them is not known. */
export function unmanagedFields(reported: ReportedRecord): string[] {
  return [
    ...given(reported, known.record),
    ...inside(reported, "source_config", known.sourceConfig),
    ...inside(reported, "source_revision_config", known.revisionConfig),
    ...listenerSettings(reported),
  ];
}

/** A namespace is all of a listener's settings that an input can say. */
function listenerSettings({ source_config: config }: ReportedRecord): string[] {
  const settings = asObject(config)["listener_config"];
  return given(asObject(settings), ["k8s_namespace"]).map(
    (field) => `source_config.listener_config.${field}`,
  );
}

function inside(reported: ReportedRecord, group: string, names: readonly string[]): string[] {
  return given(asObject(reported[group]), names).map((field) => `${group}.${field}`);
}

/** What says something, beside the known fields; none, no and nothing are what every deployment begins with. */
function given(fields: ReportedRecord, names: readonly string[]): string[] {
  return Object.entries(fields)
    .filter(([field, value]) => !names.includes(field) && !isEmpty(value))
    .map(([field]) => field)
    .sort();
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function asObject(value: unknown): ReportedRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as ReportedRecord)
    : {};
}
