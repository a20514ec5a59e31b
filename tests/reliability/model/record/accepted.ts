import type { DeploymentRecord } from "../../../../wire";
import { canary } from "../../../provider/world";
import { commit, type Program } from "../sequence/program";
import { secretIn } from "../world/plane-view";

/**
 * Accepted program of a stack: the program of the last completed `up`, with the changes that a later `refresh` found.
 * Unknown values are `undefined`.
 */
export type Accepted = { [Field in keyof Program]: Program[Field] | undefined };

/**
 * Returns the managed fields of a record. Unreported fields have their known values. A value in a different format is
 * considered equal if it may represent the known value.
 * @param keepsRefs true if the server is known to report branches as declared
 */
export function asShown(
  record: DeploymentRecord,
  managed: Accepted,
  known: Partial<Accepted>,
  keepsRefs = Boolean(record.source_config?.repo_branch),
): Accepted {
  const config = record.source_config;
  const source = record.source_revision_config;
  const spec = config?.resource_spec;
  const repoRef = shownRef(record, managed.repoRef, keepsRefs);
  return {
    ...managed,
    name: record.name ?? managed.name,
    deploymentType: config?.deployment_type ?? known.deploymentType,
    buildOnPush: config?.build_on_push ?? known.buildOnPush,
    cpu: spec ? (spec["cpu"] as number) : known.cpu,
    cpuLimit: spec ? managed.cpuLimit : known.cpuLimit,
    repoRef: repoRef ?? known.repoRef,
    graphConfigPath: source?.graph_config_path ?? source?.langgraph_config_path ?? known.graphConfigPath,
    secret: managed.secret === null ? null : shownSecret(record, known),
  };
}

/** Returns the ref of a record, expressed as the managed ref if the two are equivalent. */
function shownRef(
  record: DeploymentRecord,
  managed: string | undefined,
  keepsRefs: boolean,
): string | undefined {
  const shown = record.source_revision_config?.repo_ref ?? undefined;
  if (shown === undefined || !isCommit(shown) || isCommit(managed)) return shown;
  // A commit represents the branch that the server reports with it; otherwise, it may represent the managed one.
  return record.source_config?.repo_branch ?? (keepsRefs ? shown : managed);
}

function isCommit(ref: string | undefined): boolean {
  return ref === commit || /^[0-9a-f]{40}$/.test(ref ?? "");
}

/**
 * Returns the secret of a record. A missing secret is considered deleted if other secrets are reported. A secret
 * without a value has the known value.
 */
function shownSecret(record: DeploymentRecord, known: Partial<Accepted>): string | undefined | null {
  const { secrets } = record;
  if (!secrets || (secrets.length === 0 && !record.latest_revision_id)) return known.secret;
  if (!secrets.some(({ name }) => name === "MODEL_KEY")) return undefined;
  const value = secretIn(record, "MODEL_KEY");
  return value === undefined || isMask(value) ? (known.secret ?? undefined) : value.replace(`${canary}-`, "");
}

/** True if a server reports this value instead of the real one. */
export function isMask(value: string): boolean {
  return /^\*+$/.test(value);
}

/** True if the newest revision in a record has exactly the source in the program. */
export function isBuiltFrom(record: DeploymentRecord, { repoRef, graphConfigPath }: Program): boolean {
  const { source_revision_config: source, source_config: config } = record;
  const shown = source?.repo_ref ?? undefined;
  const ref = isCommit(shown) && !isCommit(repoRef) ? (config?.repo_branch ?? shown) : shown;
  return ref === repoRef && (source?.graph_config_path ?? source?.langgraph_config_path) === graphConfigPath;
}
