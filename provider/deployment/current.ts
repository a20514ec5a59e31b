import { type DeploymentRecord, isCommit, type WireSourceConfig } from "../../wire";
import type { Dialect } from "../control-plane/dialects";
import { isSameJson } from "../resource/inputs/json";
import { at, isGroup } from "../resource/inputs/values";
import { hasVariables, mergeEnvironment, wholeEnvironment } from "./environment";
import { createsFirstRevision } from "./first-revision";
import { isSameDeploymentType } from "./inputs/deployment-type";
import type { Variables } from "./inputs/environment";
import { agentFromWire } from "./inputs/identity";
import type { DeploymentInputs, SourceConfigInputs, SourceRevisionConfigInputs } from "./inputs/inputs";
import { resourceSpecFromWire } from "./inputs/resource-spec";
import { chosenSettings, settingsFromWire, settingsIn } from "./inputs/settings";
import { fromWireSourceConfig, fromWireSourceRevisionConfig, sourceConfigNames } from "./mapping";
import { contentOf, tagOf, triggersHash } from "./ownership/tag";
import { inputsIn, type DeploymentState } from "./state";

/** A deployment as the server reported it in one response, with facts about the resource that manages it. */
export interface ObservedDeployment {
  record: DeploymentRecord;
  /** Owner ID of the resource that manages the deployment, or will manage it. */
  ownerId: string;
  /**
   * True if an interrupted create of this resource created the deployment; set only if the deployment is not in state.
   */
  isOwn?: boolean;
}

/** Known values of a deployment: its state, and the values that the server reports. */
export interface Current {
  /** The managed inputs after the last operation or, if there is no state, all inputs that the server reports. */
  before: DeploymentInputs;
  /** The inputs in `before`, with the values that the deployment currently has. */
  inputs: DeploymentInputs;
  /** Paths of changed inputs for which the state contains only a digest. */
  unknown: readonly string[];
  /** The deployment that the server reports; `undefined` in a preview that sends no requests. */
  observed?: ObservedDeployment & {
    hasState: boolean;
    /** ID of the newest revision in state; empty if the deployment had no revision, `undefined` without a state. */
    knownRevisionId: string | undefined;
  };
}

/**
 * Merges the state of a deployment with the values that the server reports. An unreported field keeps the value in
 * state, and defaults that the server has added do not count as differences.
 * @param state `undefined` if the deployment is not in state; every reported field is then used
 */
export function merge(state: DeploymentState | undefined, observed: ObservedDeployment): Current;
export function merge(state: DeploymentState, observed?: ObservedDeployment): Current;
export function merge(state: DeploymentState | undefined, observed?: ObservedDeployment): Current {
  const unknown = Object.keys(state?.omitted ?? {});
  if (!observed) {
    const inputs = inputsIn({ ...state });
    return { before: inputs, inputs, unknown };
  }
  const { record, ownerId } = observed;
  const reported = {
    ...reportedInputs(record),
    ...settingsFromWire(record),
    ...mergeEnvironment(undefined, record, ownerId),
  };
  const before = state ? inputsIn({ ...state }) : reported;
  return {
    before,
    inputs: state ? mergeInputs(state, before, observed) : reported,
    unknown,
    observed: { ...observed, hasState: state !== undefined, knownRevisionId: state?.latestRevisionId },
  };
}

function mergeInputs(
  rollouts: Pick<DeploymentState, "awaitedRevision" | "settledRevision">,
  state: DeploymentInputs,
  { record, ownerId }: ObservedDeployment,
): DeploymentInputs {
  const agent = state.agent && (agentFromWire(record) ?? state.agent);
  return {
    ...state,
    ...mergeEnvironment(state, record, ownerId),
    ...mergeFields(settingsIn(state), settingsFromWire(record)),
    name: record.name ?? state.name,
    ...(agent && { agent }),
    source: record.source ?? state.source,
    sourceConfig: mergeFields(state.sourceConfig, sourceConfigOf(record, state)),
    sourceRevisionConfig: mergeSource(state, record, isFollowed(rollouts, record)),
  };
}

/**
 * True if the resource has followed the rollout of the newest revision, so that the state contains its source. The ID
 * of the newest revision in state is not sufficient evidence, because an update that sends no source also stores the ID
 * of a revision that others created.
 */
function isFollowed(
  { awaitedRevision, settledRevision }: Pick<DeploymentState, "awaitedRevision" | "settledRevision">,
  { latest_revision_id: newest }: DeploymentRecord,
): boolean {
  return newest != null && [awaitedRevision?.id, settledRevision?.id].includes(newest);
}

function mergeSource(
  state: DeploymentInputs,
  record: DeploymentRecord,
  isFollowedRevision: boolean,
): SourceRevisionConfigInputs {
  const { folder, contentHash, ...others } = state.sourceRevisionConfig;
  const reported = reportedSource(record, others);
  if (folder !== undefined) {
    // For a folder, the server reports only the path of the uploaded archive. The tag contains the hash of its
    // contents.
    const sent = contentOf(record, contentHash, isFollowedRevision);
    return { ...others, folder, ...(sent !== undefined && { contentHash: sent }) };
  }
  const repoRef = reportedRef(state, record, reported.repoRef);
  const isSame = isSameRef(state, record, reported.repoRef, true);
  return mergeFields(others, { ...reported, repoRef: isSame ? others.repoRef : repoRef });
}

/** Returns the source that a record reports. Omits an image that was built from a repository. */
function reportedSource(
  record: DeploymentRecord,
  { repoRef, imageUri }: SourceRevisionConfigInputs,
): SourceRevisionConfigInputs {
  const { imageUri: image, ...reported } = fromWireSourceRevisionConfig(record.source_revision_config);
  const isBuilt = imageUri === null && repoRef != null && reported.repoRef !== undefined;
  return isBuilt ? reported : { ...reported, imageUri: image };
}

/** Returns the known fields, with the reported value of each field that differs. */
function mergeFields<Group extends object>(known: Group, reported: Group): Group {
  const theirs = reported as Record<string, unknown>;
  const fields = Object.entries(known).flatMap(([field, value]) => {
    if (value === undefined) return [];
    const isKept = theirs[field] === undefined || isSameField(field, value, theirs[field]);
    return [[field, isKept ? (value as unknown) : theirs[field]]];
  });
  return Object.fromEntries(fields) as Group;
}

/** Returns all inputs that a record reports, except for the environment. */
export function reportedInputs(record: DeploymentRecord): DeploymentInputs {
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
 * True if the deployment already has the desired value at a path, so that the value does not have to be sent again. An
 * interrupted operation or another client may have sent it. Values that the program has removed must no longer exist.
 * @param unreported result for a field that the server does not report
 */
export function isInEffect(
  path: string,
  desired: DeploymentInputs,
  current: Current,
  dialect: Dialect,
  unreported = false,
): boolean {
  const { before, unknown, observed } = current;
  if (!observed) return false;
  const { record, hasState, isOwn } = observed;
  const [group = "", field = ""] = path.split(".");
  if (path === "rollout.triggers") {
    const sent = triggersHash(desired.rollout?.triggers, observed.knownRevisionId);
    // Another client may have created a revision of the same source.
    return !hasState || (hasDesiredRevision(desired, current) && tagOf(record)?.triggers === sent);
  }
  if (group === "sourceRevisionConfig") {
    // A deployment that belongs to another owner is adopted without a change to its source, so its commit may be on
    // any branch.
    const anyBranch = !hasState && (!isOwn || dialect.table.resolvesRefs);
    return hasState ? hasDesiredRevision(desired, current) : isBuiltFrom(record, desired, { anyBranch });
  }
  if (group === "secrets" || group === "environmentVariables") {
    const variables = environmentFor(desired, current, record, dialect);
    return variables !== undefined && hasVariables(record, variables);
  }
  const wanted = at(desired, path);
  if (wanted === null && isCleared(record, path)) return true;
  const reported = at(
    {
      ...settingsFromWire(record),
      name: record.name ?? undefined,
      source: record.source ?? undefined,
      agent: agentFromWire(record),
      sourceConfig: fromWireSourceConfig(record.source_config),
    },
    path,
  );
  if (reported === undefined) return unreported || (!hasState && (path === "name" || path === "source"));
  if (!isSameField(field || group, wanted, reported)) return false;
  if (path !== "sourceConfig.resourceSpec") return true;
  if (unknown.some((one) => path.startsWith(one))) return false;
  const sent = hasState ? before.sourceConfig.resourceSpec : isOwn && reported;
  return !hasLeftovers(sent, wanted, reported, resourceSpecFromWire(dialect.table.resourceSpecDefaults));
}

/**
 * Returns the whole environment that the desired inputs require, or `undefined` if the server does not report all
 * variables that must be kept.
 * @param record the current deployment
 */
export function environmentFor(
  desired: DeploymentInputs,
  { before, unknown, observed }: Current,
  record: DeploymentRecord,
  { table }: Dialect,
): Variables | undefined {
  const { hasState, isOwn, ownerId } = observed!;
  // Deployments from some sources have no revision at first, and servers report an environment only if there is a
  // revision.
  const isUnset =
    (hasState || isOwn === true) &&
    !record.latest_revision_id &&
    !createsFirstRevision(table, desired.source);
  const known = hasState && !unknown.includes("environmentVariables") ? before : undefined;
  return wholeEnvironment(desired, known, record, { ownerId, isUnset });
}

/** True if the newest revision is not in state and has the desired source. */
export function hasDesiredRevision(desired: DeploymentInputs, { observed }: Current): boolean {
  return observed !== undefined && hasNewRevision(observed) && isBuiltFrom(observed.record, desired);
}

/** True if the newest revision is not in state and its source is known to differ from the desired one. */
export function hasForeignSource(desired: DeploymentInputs, { observed }: Current): boolean {
  if (!observed?.hasState || !hasNewRevision(observed)) return false;
  return !isBuiltFrom(observed.record, desired, { anyBranch: true, unreported: true });
}

function hasNewRevision({ record, knownRevisionId }: NonNullable<Current["observed"]>): boolean {
  const newest = record.latest_revision_id;
  return newest != null && newest !== knownRevisionId;
}

/** Options for comparing a desired source with a source that the server reports only in part. */
interface Certainty {
  /** True to treat a commit that is reported without its branch as a commit on the desired branch. */
  anyBranch?: boolean;
  /** True to treat an unreported field as having the desired value. */
  unreported?: boolean;
}

/**
 * True if a record's newest revision has the desired source. If the program manages no source fields, this is true for
 * every revision. By default, a branch matches only if the server reports it together with the commit that it was
 * resolved to, because the commit alone could belong to a different branch.
 */
export function isBuiltFrom(
  record: DeploymentRecord,
  desired: RevisionSource,
  { anyBranch = false, unreported = false }: Certainty = {},
): boolean {
  const { folder, contentHash, ...fields } = desired.sourceRevisionConfig;
  if (folder !== undefined)
    return (
      contentHash !== undefined && contentOf(record, unreported ? contentHash : undefined) === contentHash
    );
  const reported: Record<string, unknown> = reportedSource(record, fields);
  const given = Object.entries<unknown>(fields).filter(([, value]) => value !== undefined);
  return given.every(([field, value]) => {
    const theirs = reported[field];
    if (theirs === undefined) return unreported || value === null;
    return field === "repoRef" ? isSameRef(desired, record, theirs, anyBranch) : theirs === value;
  });
}

type RevisionSource = Pick<DeploymentInputs, "sourceRevisionConfig" | "trackedRepoRef">;

/** True if the desired ref is the reported one, or if the server has resolved it to the reported commit. */
function isSameRef(
  desired: RevisionSource,
  record: DeploymentRecord,
  reported: unknown,
  anyBranch: boolean,
): boolean {
  const { repoRef } = desired.sourceRevisionConfig;
  if (reportedRef(desired, record, reported) === repoRef) return true;
  return anyBranch && branchOf(desired, record) === undefined && isResolved(repoRef, reported);
}

/**
 * Returns the reported ref. If the server reports a commit and the branch it belongs to, a desired branch is compared
 * with that branch, so the branch is returned.
 */
function reportedRef(desired: RevisionSource, record: DeploymentRecord, reported: unknown) {
  const isBranch = isResolved(desired.sourceRevisionConfig.repoRef, reported);
  return ((isBranch ? branchOf(desired, record) : undefined) ?? reported) as string | null | undefined;
}

/**
 * Returns the branch of the reported commit; `undefined` if the program specifies `trackedRepoRef`, because the server
 * then reports that branch instead.
 */
function branchOf({ trackedRepoRef }: RevisionSource, record: DeploymentRecord): string | undefined {
  return trackedRepoRef ? undefined : record.source_config?.repo_branch || undefined;
}

function isResolved(ref: unknown, reported: unknown): boolean {
  return isCommit(reported) && !isCommit(ref);
}

/** Returns a record's source configuration without the URL that the server generated. */
function sourceConfigOf(record: DeploymentRecord, state: DeploymentInputs): SourceConfigInputs {
  const reported = fromWireSourceConfig(record.source_config);
  const isDefault = state.sourceConfig.customUrl === null && reported.customUrl === record.url;
  return isDefault ? { ...reported, customUrl: null } : reported;
}

/** True if the server reports that a field has no value. */
function isCleared({ source_config: config, url }: DeploymentRecord, path: string): boolean {
  const name = sourceConfigNames[path.replace("sourceConfig.", "") as keyof SourceConfigInputs] as
    keyof WireSourceConfig | undefined;
  const reported = name && config?.[name];
  return reported === null || (name === "custom_url" && reported !== undefined && reported === url);
}

/** True if a reported value is equivalent to the known one. */
function isSameField(field: string, known: unknown, reported: unknown): boolean {
  if (field === "deploymentType") return isSameDeploymentType(known, reported);
  if (field === "resourceSpec") return isIncluded(known, reported);
  return isSameJson(known, reported);
}

/** True if the server reports all specified values. Other reported values are ignored, because they may be defaults. */
function isIncluded(given: unknown, reported: unknown): boolean {
  if (!isGroup(given) || !isGroup(reported)) return isSameJson(given, reported);
  return Object.entries(given).every(([key, value]) => value === null || isIncluded(value, reported[key]));
}

/**
 * True if the server still has a key that was sent earlier and is no longer desired, unless the key has its default
 * value.
 */
function hasLeftovers(
  sent: unknown,
  desired: unknown,
  reported: unknown,
  defaults: Readonly<Record<string, unknown>> = {},
): boolean {
  if (!isGroup(sent) || !isGroup(desired) || !isGroup(reported)) return false;
  return Object.keys(sent).some((key) => {
    const theirs = reported[key];
    if (desired[key] !== undefined) return hasLeftovers(sent[key], desired[key], theirs);
    return theirs !== undefined && theirs !== null && !isSameJson(theirs, defaults[key]);
  });
}
