import { isDeepStrictEqual } from "node:util";
import type { DeploymentRecord } from "../../control-plane/wire";
import type { DeploymentInputs, SourceRevisionConfigInputs } from "../inputs";
import { fromWireSourceConfig, fromWireSourceRevisionConfig, secretsOf } from "../mapping";

/**
 * The managed inputs as the server has them: each field that the user gives, with the server's value where it
 * tells another one. What the server does not tell, or filled in by itself, is not drift.
 * @param keepsRefs whether the server is known to keep a branch or tag as it was given: then a commit in its place is
 *   another source
 */
export function asRecorded(
  managed: DeploymentInputs,
  record: DeploymentRecord,
  keepsRefs = Boolean(record.source_config?.repo_branch),
): DeploymentInputs {
  const secrets = secretsOf(record);
  return {
    ...managed,
    name: record.name ?? managed.name,
    source: record.source ?? managed.source,
    sourceConfig: overlay(
      managed.sourceConfig,
      fromWireSourceConfig(record.source_config),
      record.source_config,
    ),
    sourceRevisionConfig: overlay(
      managed.sourceRevisionConfig,
      withBranch(managed.sourceRevisionConfig, record),
      record.source_revision_config,
      keepsRefs,
    ),
    ...(managed.secrets && { secrets: secrets ?? managed.secrets }),
  };
}

/** All inputs that a record tells, for a resource that was only named by its id. */
export function fullyRecorded(record: DeploymentRecord): DeploymentInputs {
  return {
    name: record.name ?? "",
    source: record.source ?? "",
    sourceConfig: fromWireSourceConfig(record.source_config),
    sourceRevisionConfig: fromWireSourceRevisionConfig(record.source_revision_config),
  };
}

/**
 * Whether the record's newest revision has exactly the wanted source. A branch that the server turned into a commit
 * counts where the server tells the branch beside it: the commit alone could be another branch's.
 */
export function isBuiltFrom(record: DeploymentRecord, wanted: DeploymentInputs): boolean {
  const recorded = withBranch(wanted.sourceRevisionConfig, record) as Record<string, unknown>;
  const given = Object.entries(wanted.sourceRevisionConfig).filter(([, value]) => value !== undefined);
  return given.length > 0 && given.every(([field, value]) => (recorded[field] ?? null) === value);
}

/**
 * A record's revision source with the branch in place of the commit that it was turned into, where the user gives no
 * commit and the server tells the branch.
 */
function withBranch(
  managed: SourceRevisionConfigInputs,
  record: DeploymentRecord,
): SourceRevisionConfigInputs {
  const recorded = fromWireSourceRevisionConfig(record.source_revision_config);
  const branch = record.source_config?.repo_branch;
  return branch && isResolved(managed.repoRef, recorded.repoRef)
    ? { ...recorded, repoRef: branch }
    : recorded;
}

function overlay<Group extends object>(
  managed: Group,
  recorded: Group,
  told: unknown,
  keepsRefs = false,
): Group {
  if (!told) return managed;
  const theirs = recorded as Record<string, unknown>;
  const fields = Object.entries(managed).flatMap(([field, value]) => {
    if (value === undefined) return [];
    return [[field, equivalent(field, value, theirs[field], keepsRefs) ? value : (theirs[field] ?? value)]];
  });
  return Object.fromEntries(fields) as Group;
}

function equivalent(field: string, managed: unknown, recorded: unknown, keepsRefs: boolean): boolean {
  if (field === "repoRef") return recorded === managed || (!keepsRefs && isResolved(managed, recorded));
  if (field === "resourceSpec") return isIncluded(managed, recorded);
  return isDeepStrictEqual(managed, recorded);
}

/** A branch or tag that the server turned into the commit that it built. */
function isResolved(managed: unknown, recorded: unknown): boolean {
  const isCommit = (ref: unknown) => typeof ref === "string" && /^[0-9a-f]{40}$/.test(ref);
  return isCommit(recorded) && !isCommit(managed);
}

/** Whether the server has everything that the user gives; it fills in defaults beside it. */
function isIncluded(managed: unknown, recorded: unknown): boolean {
  if (typeof managed !== "object" || managed === null) return isDeepStrictEqual(managed, recorded);
  if (typeof recorded !== "object" || recorded === null) return false;
  if (Array.isArray(managed)) return isDeepStrictEqual(managed, recorded);
  const theirs = recorded as Record<string, unknown>;
  return Object.entries(managed).every(([key, value]) => value === null || isIncluded(value, theirs[key]));
}
