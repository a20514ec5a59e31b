import { sourceConfigNames } from "../../provider/deployment/mapping";
import { settingNames } from "../../provider/deployment/inputs/settings";

/** Record of a deployment with everything that the server reports. */
export type ReportedRecord = Record<string, unknown>;

/** Fields of each part of a record that are inputs, or that only the server uses. */
const handledFields = {
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

/** Returns the names of settings that no input represents. Their values are omitted, because they may be sensitive. */
export function unmanagedFields(reported: ReportedRecord): string[] {
  return [
    ...otherFields(reported, handledFields.record),
    ...fieldsInGroup(reported, "source_config", handledFields.sourceConfig),
    ...fieldsInGroup(reported, "source_revision_config", handledFields.revisionConfig),
    ...listenerSettings(reported),
  ];
}

/** Returns the names of listener settings other than the namespace, because inputs can represent only the namespace. */
function listenerSettings({ source_config: config }: ReportedRecord): string[] {
  const settings = asObject(config)["listener_config"];
  return otherFields(asObject(settings), ["k8s_namespace"]).map(
    (field) => `source_config.listener_config.${field}`,
  );
}

function fieldsInGroup(reported: ReportedRecord, group: string, knownFields: readonly string[]): string[] {
  return otherFields(asObject(reported[group]), knownFields).map((field) => `${group}.${field}`);
}

/** Returns the names of unknown fields that have a value. Null, false, and empty values count as defaults. */
function otherFields(fields: ReportedRecord, knownFields: readonly string[]): string[] {
  return Object.entries(fields)
    .filter(([field, value]) => !knownFields.includes(field) && !isEmpty(value))
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
