import type { DeploymentRecord } from "../../../../wire";
import { canary } from "../../../provider/world";
import { commit, type Program } from "../sequence/program";
import { secretIn } from "../world/plane-view";

/**
 * A program as a stack has accepted it: as it was when an `up` was done with it, and since then with what a `refresh` has
 * found. What is not known at all is undefined.
 */
export type Accepted = { [Field in keyof Program]: Program[Field] | undefined };

/**
 * What a record shows of the fields that a program manages. What it does not report is as it is known to be, and what it
 * reports in another form than the program gives is the same if that form may stand for it.
 * @param keepsRefs whether the server is known to keep a branch as it was given
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

/** The ref that a record shows, as whoever manages that one understands it. */
function shownRef(
  record: DeploymentRecord,
  managed: string | undefined,
  keepsRefs: boolean,
): string | undefined {
  const shown = record.source_revision_config?.repo_ref ?? undefined;
  if (shown === undefined || !isCommit(shown) || isCommit(managed)) return shown;
  // A commit stands for the branch that the server reports beside it; else it may stand for the one that is managed.
  return record.source_config?.repo_branch ?? (keepsRefs ? shown : managed);
}

function isCommit(ref: string | undefined): boolean {
  return ref === commit || /^[0-9a-f]{40}$/.test(ref ?? "");
}

/** A secret that is missing where others are reported is gone; one without its value has the one that is known. */
function shownSecret(record: DeploymentRecord, known: Partial<Accepted>): string | undefined | null {
  const { secrets } = record;
  if (!secrets || (secrets.length === 0 && !record.latest_revision_id)) return known.secret;
  if (!secrets.some(({ name }) => name === "MODEL_KEY")) return undefined;
  const value = secretIn(record, "MODEL_KEY");
  return value === undefined || isMask(value) ? (known.secret ?? undefined) : value.replace(`${canary}-`, "");
}

/** Whether a value is what a server shows in place of one. */
export function isMask(value: string): boolean {
  return /^\*+$/.test(value);
}

/** Whether a record's newest revision is built from exactly what a program asks for. */
export function isBuiltFrom(record: DeploymentRecord, { repoRef, graphConfigPath }: Program): boolean {
  const { source_revision_config: source, source_config: config } = record;
  const shown = source?.repo_ref ?? undefined;
  const ref = isCommit(shown) && !isCommit(repoRef) ? (config?.repo_branch ?? shown) : shown;
  return ref === repoRef && (source?.graph_config_path ?? source?.langgraph_config_path) === graphConfigPath;
}
