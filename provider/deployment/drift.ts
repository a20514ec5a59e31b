import { type DeploymentRecord, isCommit } from "../../wire";
import { isSameJson } from "../resource/inputs/json";
import { isSameDeploymentType } from "./inputs/deployment-type";
import { valueOf, type EnvironmentInputs } from "./inputs/environment";
import { agentFromWire } from "./inputs/identity";
import type { DeploymentInputs, SourceConfigInputs, SourceRevisionConfigInputs } from "./inputs/inputs";
import { fromWireSourceConfig, fromWireSourceRevisionConfig, reportedSecrets } from "./mapping";
import { contentOf } from "./ownership/tag";
import { chosenSettings, settingsFromWire, settingsIn, type SettingInputs } from "./inputs/settings";

/** How a record is compared with inputs. */
export interface Comparison {
  /** What is known of fields that the server does not report: what state has. By default the managed inputs. */
  known?: KnownInputs;
  /**
   * Whether the server is known to keep a branch or tag as it was given: then a commit in its place is another source.
   */
  keepsRefs?: boolean;
}

/** Inputs as far as state has them. */
type KnownInputs = Partial<DeploymentInputs>;

/**
 * The managed inputs as the server has them: each field that the user gives, with the server's value where it reports
 * another one. What the server filled in by itself is not drift; what it does not report is as it is known to be.
 */
export function asRecorded(
  managed: DeploymentInputs,
  record: DeploymentRecord,
  { known = managed, keepsRefs = branchOf(managed, record) !== undefined }: Comparison = {},
): DeploymentInputs {
  return {
    ...managed,
    ...recordedEnvironment(managed, record, known),
    ...recordedSettings(managed, record, known),
    name: record.name ?? managed.name,
    ...(managed.agent && { agent: agentFromWire(record) ?? known.agent }),
    source: record.source ?? managed.source,
    sourceConfig: overlay(
      managed.sourceConfig,
      managed.sourceConfig.customUrl === null
        ? withoutOwnAddress(record)
        : fromWireSourceConfig(record.source_config),
      known.sourceConfig ?? {},
    ),
    sourceRevisionConfig: isLocal(managed)
      ? recordedLocally(managed, record, known)
      : overlay(
          managed.sourceRevisionConfig,
          withBranch(managed, record),
          known.sourceRevisionConfig ?? {},
          keepsRefs,
        ),
  };
}

/** What is not known of a setting is not there, or it would count as sent. */
function recordedSettings(
  managed: DeploymentInputs,
  record: DeploymentRecord,
  known: KnownInputs,
): SettingInputs {
  const wanted = settingsIn(managed);
  const none = Object.fromEntries(Object.keys(wanted).map((setting) => [setting, undefined]));
  return { ...none, ...overlay(wanted, settingsFromWire(record), settingsIn(known)) };
}

function isLocal({ sourceRevisionConfig: { folder } }: RevisionSource): boolean {
  return folder !== undefined;
}

/** Of a source on this machine, the server knows what was sent; by its hash it is known what that was. */
function recordedLocally(
  { sourceRevisionConfig: managed }: RevisionSource,
  record: DeploymentRecord,
  known: KnownInputs,
): SourceRevisionConfigInputs {
  const { contentHash: _wanted, ...others } = managed;
  const contentHash = contentOf(record, known.sourceRevisionConfig?.contentHash);
  return { ...others, ...(contentHash !== undefined && { contentHash }) };
}

/**
 * The environment that a record names, with the known value of each variable whose value the server keeps to itself. It
 * does not say which ones are plain: those that the inputs call so.
 */
function recordedEnvironment(
  { secrets, environmentVariables: plain }: EnvironmentInputs,
  record: DeploymentRecord,
  known: EnvironmentInputs,
): EnvironmentInputs {
  const reported = reportedSecrets(record);
  if (!reported)
    return { secrets: secrets && known.secrets, environmentVariables: plain && known.environmentVariables };
  const before = { ...known.secrets, ...known.environmentVariables };
  const entries = [...reported].map(([name, value]) => [name, value ?? valueOf(before, name) ?? ""] as const);
  const isPlain = (name: string) => plain !== undefined && Object.hasOwn(plain, name);
  return {
    secrets: secrets && Object.fromEntries(entries.filter(([name]) => !isPlain(name))),
    environmentVariables: plain && Object.fromEntries(entries.filter(([name]) => isPlain(name))),
  };
}

/** All inputs that a record reports, for a resource that was only named by its id. */
export function fullyRecorded(record: DeploymentRecord): DeploymentInputs {
  const sourceRevisionConfig = fromWireSourceRevisionConfig(record.source_revision_config);
  const branch = record.source_config?.repo_branch;
  const { repoRef } = sourceRevisionConfig;
  const agent = agentFromWire(record);
  return {
    ...(agent ? { agent } : { name: record.name ?? "" }),
    source: record.source ?? "",
    sourceConfig: fromWireSourceConfig(record.source_config),
    sourceRevisionConfig,
    ...chosenSettings(record, isCommit(repoRef) ? branch : repoRef),
  };
}

/**
 * Whether the record's newest revision has exactly the wanted source. A branch that the server turned into a commit
 * counts where the server reports the branch beside it: the commit alone could be another branch's.
 */
export function isBuiltFrom(record: DeploymentRecord, wanted: DeploymentInputs): boolean {
  const { contentHash } = wanted.sourceRevisionConfig;
  if (isLocal(wanted)) return contentHash !== undefined && contentOf(record, undefined) === contentHash;
  const recorded = withBranch(wanted, record) as Record<string, unknown>;
  const given = Object.entries<unknown>(wanted.sourceRevisionConfig).filter(
    ([, value]) => value !== undefined,
  );
  return given.length > 0 && given.every(([field, value]) => (recorded[field] ?? null) === value);
}

/**
 * A record's revision source with the branch in place of the commit that it was turned into, where the user gives no
 * commit and the server reports the branch.
 */
function withBranch(managed: RevisionSource, record: DeploymentRecord): SourceRevisionConfigInputs {
  const recorded = fromWireSourceRevisionConfig(record.source_revision_config);
  const branch = branchOf(managed, record);
  return branch !== undefined && isResolved(managed.sourceRevisionConfig.repoRef, recorded.repoRef)
    ? { ...recorded, repoRef: branch }
    : recorded;
}

type RevisionSource = Pick<DeploymentInputs, "sourceRevisionConfig" | "trackedRepoRef">;

/**
 * The branch that a reported commit is of. The server reports the one that it tracks: where the user sets that apart, it
 * says nothing about the revision.
 */
function branchOf({ trackedRepoRef }: RevisionSource, record: DeploymentRecord): string | undefined {
  return trackedRepoRef ? undefined : record.source_config?.repo_branch || undefined;
}

/**
 * A record's source configuration with no address of the user's where the server filled in the one that the deployment
 * has anyway.
 */
function withoutOwnAddress(record: DeploymentRecord): SourceConfigInputs {
  const recorded = fromWireSourceConfig(record.source_config);
  return recorded.customUrl === record.url ? { ...recorded, customUrl: null } : recorded;
}

function overlay<Group extends object>(
  managed: Group,
  recorded: Group,
  known: Group,
  keepsRefs = false,
): Group {
  const [theirs, before] = [recorded, known] as Record<string, unknown>[];
  const fields = Object.entries(managed).flatMap(([field, value]) => {
    if (value === undefined) return [];
    const reported = theirs![field];
    if (reported === undefined) return [[field, before![field]]];
    return [[field, equivalent(field, value, reported, keepsRefs) ? value : reported]];
  });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Group;
}

function equivalent(field: string, managed: unknown, recorded: unknown, keepsRefs: boolean): boolean {
  if (field === "repoRef") return recorded === managed || (!keepsRefs && isResolved(managed, recorded));
  if (field === "deploymentType") return isSameDeploymentType(managed, recorded);
  if (field === "resourceSpec") return isIncluded(managed, recorded);
  return isSameJson(managed, recorded);
}

/** A branch or tag that the server turned into the commit that it built. */
function isResolved(managed: unknown, recorded: unknown): boolean {
  return isCommit(recorded) && !isCommit(managed);
}

/** Whether the server has everything that the user gives; it fills in defaults beside it. */
function isIncluded(managed: unknown, recorded: unknown): boolean {
  if (typeof managed !== "object" || managed === null) return isSameJson(managed, recorded);
  if (typeof recorded !== "object" || recorded === null) return false;
  if (Array.isArray(managed)) return isSameJson(managed, recorded);
  const theirs = recorded as Record<string, unknown>;
  return Object.entries(managed).every(([key, value]) => value === null || isIncluded(value, theirs[key]));
}
