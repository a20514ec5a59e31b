import type { Identity } from "../deployment/inputs/identity";
import type { VerifiedArtifact, VerifiedArtifacts } from "../deployment/state";
import { formatDuration } from "../text/duration";
import { maxVerified } from "../deployment/rollout/verified";
import { abbreviate, isApproved, isImmutable, isPromotable, isSame, type Source } from "./artifact";
import { describeWindow, isOpen, type PromotionWindow } from "./window";

/** Approval condition of a gate. */
export interface Approval {
  /** Approved commit, image, or digest; null if nothing is approved. */
  approved: string | null;
  /** Returns the instruction that tells the user how to approve an artifact. */
  toApprove: (artifact: string) => string;
}

/** Conditions for a promotion. All specified conditions must be met. */
export interface PromotionGate {
  approval?: Approval | undefined;
  /** Minimum time since the verification of an artifact before it is promoted, in milliseconds. */
  soakMs?: number | undefined;
  window?: PromotionWindow | undefined;
}

/** Sources of a target according to the state of the stack. */
interface SourcesInState {
  /**
   * Source that the stack last rolled out, adopted, or imported. Other clients may have rolled out another one since.
   */
  rolledOut: Source | undefined;
  /** Source that last passed a verification in the target. */
  verified?: Source | undefined;
  /** Source in the inputs that the last update or refresh stored. */
  declared: Source | undefined;
}

/** Sources of the target's revisions. */
export interface TargetSources {
  /** Source of the revision that serves requests. */
  serving?: Source | undefined;
  /** Sources in the state of the stack, if the target is part of the stack. */
  state?: SourcesInState | undefined;
  /** True if the target exists, but the stack that promotes to it does not manage it yet. */
  isUnmanaged?: boolean;
  /** Source of the newest revision, while it is being rolled out. */
  rollingOut?: Source | undefined;
  /**
   * Sources whose last rollout failed, newest first. `status` is the status of the failed revision; it is undefined if
   * the revision was `DEPLOYED` but was followed by a rollback to an earlier source.
   */
  failed: readonly FailedSource[];
  /**
   * Returns the sources that `failed` would contain after a successful rollout of this source. @default the current
   * value
   */
  failedAfter?: (source: Source) => readonly FailedSource[];
}

type FailedSource = Source & { status: string | undefined };

/** Facts that determine the source of the target. */
export interface PromotionFacts {
  /** Name of the target in messages. */
  target: string;
  /** Name of the previous environment in messages. */
  upstream: string;
  /** True if the previous environment is waiting for its own first promotion. */
  isUpstreamAbsent?: boolean | undefined;
  /**
   * Artifacts that the previous environment has verified. In a preview in which that environment changes, these are the
   * artifacts in state.
   */
  verified: VerifiedArtifacts;
  /** True in a preview if even the artifacts in state are unknown. */
  isHistoryUnknown?: boolean;
  gate: PromotionGate;
  /** Kind of source that the target can get. @default any kind */
  kind?: string | undefined;
  /**
   * True if the repository of the target changed, so that artifacts that were verified earlier may be from the previous
   * one.
   */
  isOtherRepository?: boolean;
  /** Paths of changed inputs that the previous environment does not get in this update. */
  heldUpstream?: readonly string[] | undefined;
  /**
   * Paths of changed inputs that require a replacement of the target. If the target keeps its source, it keeps these
   * inputs as well.
   */
  replacedFor?: readonly string[] | undefined;
  /** Sources of the target's revisions; omitted if the target does not exist. */
  present?: TargetSources | undefined;
  /** Current time, in milliseconds since 1970. */
  now: number;
}

/** Decision about the source of the target. */
export interface PromotionDecision {
  /** Promoted source, or the source that the target keeps; undefined if there is none. */
  source?: Source | undefined;
  /** True if the target gets a new source. */
  promotes: boolean;
  /** Sentence that states what is waiting, why, since when, and how to proceed; undefined if nothing is waiting. */
  waiting?: string | undefined;
  /** Sentence for the log of an update that promotes a source while another one waits. @default `waiting` */
  message?: string | undefined;
  /** True if the source depends on which artifact the previous environment verifies in this update. */
  dependsOnUpstream?: boolean;
}

type Candidate = VerifiedArtifact & Source;

/**
 * Returns the source for the target: an artifact that the previous environment has verified and that passes the gate
 * or, if there is none, the current source of the target.
 */
export function decide(facts: PromotionFacts): PromotionDecision {
  const { gate, verified } = facts;
  if (isHeldWithUpstream(facts)) return keepWithUpstream(facts);
  const kept = keptSource(facts);
  const current = isCandidate(facts, verified.current) ? verified.current : undefined;
  const wanted = gate.approval
    ? approvedOf(facts, gate.approval)
    : [current].filter((one) => one !== undefined);
  const next = wanted.find((one) => isSame(one, current)) ?? wanted[0];
  if (isAmbiguous(wanted)) return keep(facts, ambiguity(facts, gate.approval!, wanted));
  if (!next) return keep(facts, reasonToWait(facts));
  // An approval applies only to an artifact, not to a replacement of a target that already serves it. Without an
  // approval condition, such a target is replaced if the previous environment serves the same artifact.
  const isServed = gate.approval && isReplaced(facts) ? next.artifact === kept?.artifact : isSame(next, kept);
  if (isServed && (gate.approval || !isReplaced(facts) || !isSame(next, current)))
    return keep(facts, reasonAfter(facts, next) ?? reasonToApproveOther(facts));
  const hindrance = hindranceOf(facts, next);
  if (hindrance !== undefined) return keep(facts, `${describeVerified(facts, next)} and ${hindrance}`);
  const { source, artifact, graphConfigPath } = next;
  return { ...promoteTo(facts, { source, artifact, graphConfigPath }), promotes: true };
}

/**
 * Returns the decision to promote a source. Another artifact may be waiting even after the promotion, for example after
 * a rollback.
 */
function promoteTo(facts: PromotionFacts, source: Source): Omit<PromotionDecision, "promotes"> {
  const failed = facts.present?.failedAfter?.(source) ?? facts.present?.failed ?? [];
  const state = { rolledOut: source, declared: source };
  const promoted = { ...facts, replacedFor: [], present: { serving: source, state, failed } };
  const reason = reasonAfter(promoted, source);
  if (reason === undefined) return { source };
  const message = `${facts.target} gets ${abbreviate(source.artifact)}; ${reason}.`;
  return { source, waiting: keep(promoted, reason).waiting, message };
}

/**
 * Returns the decision in a preview in which the previous environment changes. The artifacts that this environment will
 * have verified are then unknown.
 */
export function decideWithoutUpstream(facts: PromotionFacts): PromotionDecision {
  const { gate, upstream, replacedFor = [] } = facts;
  const next = `a new artifact that ${upstream} verifies in this update`;
  const closed = closedWindow(facts);
  if (isHeldWithUpstream(facts)) return keepWithUpstream(facts);
  if (facts.present?.isUnmanaged && !keptSource(facts)) {
    const waiting = `${facts.target} is adopted in this update only if ${upstream} verifies ${servedBy(facts.present)} ${facts.target} serves, or an artifact that passes the gate.`;
    return { promotes: false, waiting, dependsOnUpstream: true };
  }
  if (!gate.approval && closed !== undefined) return keep(facts, `${next} ${closed}`);
  if (!gate.approval)
    return gate.soakMs && !mayHaveSoaked(facts)
      ? keep(facts, `${next} can be promoted only after ${formatDuration(gate.soakMs)}`)
      : { promotes: false, dependsOnUpstream: true };
  const { approved } = gate.approval;
  const source = keptSource(facts);
  const isOtherKind = facts.kind !== undefined && source?.source !== facts.kind;
  const hasOtherPath = replacedFor.includes("sourceRevisionConfig.graphConfigPath") && !isReplaced(facts);
  const isKept = source && isApproved(approved, source.artifact) && (!hasOtherPath || isOtherKind);
  if (approved === null || isKept) return keep(facts, `${next} requires approval`);
  if (closed !== undefined) return keep(facts, `${abbreviate(approved)} is approved and ${closed}`);
  const { waiting } = keep(
    { ...facts, replacedFor: [] },
    `${abbreviate(approved)} is approved and is promoted in this update if ${upstream} has verified it by then`,
  );
  return { promotes: false, waiting, dependsOnUpstream: true };
}

/** True if the target is replaced for a reason other than a new path of the graph configuration. */
function isReplaced({ replacedFor = [] }: PromotionFacts): boolean {
  return replacedFor.some((path) => path !== "sourceRevisionConfig.graphConfigPath");
}

/** True if the target would get changed inputs that the previous environment does not get yet. */
function isHeldWithUpstream({ heldUpstream = [], replacedFor = [], present }: PromotionFacts): boolean {
  if (present?.isUnmanaged ?? !present) return heldUpstream.length > 0;
  return replacedFor.some((path) => heldUpstream.includes(path));
}

function keepWithUpstream(facts: PromotionFacts): PromotionDecision {
  return keep(facts, `${facts.upstream} keeps its previous inputs as well`);
}

/**
 * True if the artifact to promote may be one whose soak time has already passed, for example after a rollback of the
 * previous environment.
 */
function mayHaveSoaked(facts: PromotionFacts): boolean {
  const { verified, gate, now, replacedFor = [] } = facts;
  const kept = keptSource(facts);
  return (
    facts.isHistoryUnknown === true ||
    verified.history.some(
      (entry) =>
        isCandidate(facts, entry) &&
        (replacedFor.length > 0 || !isSame(entry, kept)) &&
        Date.parse(entry.verifiedAt) + gate.soakMs! <= now,
    )
  );
}

/** Returns the decision after a check of the promoted source has failed. */
export function decideAfterFailedCheck(
  facts: PromotionFacts,
  source: Source,
  problem: string,
): PromotionDecision {
  const { current, history } = facts.verified;
  const entry = [current, ...history].filter(isPromotable).find((one) => isSame(one, source))!;
  return keep(
    facts,
    `${describeVerified(facts, entry)}, but ${problem}: fix the cause and run \`pulumi up\` again`,
  );
}

/** Returns the message that a preview logs about a promotion whose checks run during the update. */
export function describePlannedPromotion(target: string, artifact: string, checks: string): string {
  return `${target} will change to ${abbreviate(artifact)} if the update passes ${checks}.`;
}

const messageStart = "Promotion: ";

/** Returns the complete message that a program logs for a sentence about a promotion. */
export function promotionMessage(sentence: string): string {
  return `${messageStart}${sentence}`;
}

/** Returns the sentence in a message about a promotion; `undefined` for any other message. */
export function promotionSentence(message: string): string | undefined {
  return message.startsWith(messageStart) ? message.slice(messageStart.length) : undefined;
}

/** Returns the name of a target in messages. */
export function targetName({ name, agent }: Identity): string {
  return agent ? `${agent.agentId} (${agent.environment})` : name!;
}

/**
 * Returns the current source of the target. Without state, a source that failed, or that is still being rolled out,
 * counts as promoted only if the previous environment has verified it.
 */
function keptSource({ present, verified }: PromotionFacts): Source | undefined {
  if (!present) return undefined;
  const { serving, rollingOut, failed, state, isUnmanaged } = present;
  const wasPromoted = (one: Source | undefined) => verified.history.some((entry) => isSame(entry, one));
  // The next revision of a branch or tag may be built from different contents.
  const isKeepable = (one: Source | undefined) => one !== undefined && isImmutable(one.artifact);
  if (state) {
    const { rolledOut, verified: earlier } = state;
    // A rollout that the last update did not wait for may have failed.
    const hasFailed = failed.some((one) => isSame(one, rolledOut));
    const own = rolledOut && !hasFailed ? rolledOut : (earlier ?? rolledOut);
    return isKeepable(own) ? own : undefined;
  }
  // A source that others have rolled out has not passed the gate, so it is not adopted.
  if (isUnmanaged) return (serving ? [serving] : [rollingOut, ...failed]).find(wasPromoted);
  if (wasPromoted(rollingOut)) return rollingOut;
  return [serving, failed.find(wasPromoted)].find(isKeepable);
}

function servedBy({ serving }: TargetSources): string {
  return serving ? `${abbreviate(serving.artifact)}, which` : "the source that";
}

function keep(facts: PromotionFacts, reason: string | undefined): PromotionDecision {
  const { present, target, replacedFor = [] } = facts;
  const source = keptSource(facts);
  if (source && reason === undefined && replacedFor.length === 0) return { source, promotes: false };
  const inputs = replacedFor.length > 0 ? ` and keeps its previous ${replacedFor.join(" and ")}` : "";
  const isServing = !source || !isSame(source, present?.rollingOut) || isSame(source, present?.serving);
  const branch = present?.state ? present.state.rolledOut : present?.serving;
  const state = source
    ? `${target} stays at ${abbreviate(source.artifact)}${isServing ? "" : ", which is being rolled out"}${inputs}${describeForeign(present, source)}`
    : present?.isUnmanaged
      ? `${target} is not adopted yet, because ${facts.upstream} has not verified ${servedBy(present)} ${target} serves`
      : branch
        ? `${target} cannot stay at ${branch.artifact}, which is neither a commit nor an image with its digest`
        : present
          ? `the source that ${target} serves is not known`
          : `${target} does not exist yet`;
  const waiting = `${state}; ${reason ?? `the next artifact that ${facts.upstream} verifies requires approval`}.`;
  return { source, promotes: false, waiting };
}

/** Describes the source that a target serves if it differs from the source that the stack has rolled out. */
function describeForeign(present: TargetSources | undefined, kept: Source): string {
  const { serving, rollingOut, state } = present ?? {};
  // If a refresh has stored a different source, the update restores the kept one.
  const isForeign = state && isSame(kept, state.declared) && !isSame(kept, rollingOut);
  if (!serving || !isForeign || isSame(serving, kept) || !isImmutable(serving.artifact)) return "";
  return ` in the state of the stack, but serves ${abbreviate(serving.artifact)}, which the stack has not rolled out (\`pulumi up --refresh\`, or the next new revision, restores ${abbreviate(kept.artifact)})`;
}

/**
 * Returns the verified artifacts that the approval applies to, newest first. All artifacts in the history of the
 * previous environment can be approved.
 */
function approvedOf(facts: PromotionFacts, { approved }: Approval): Candidate[] {
  const { current, history } = facts.verified;
  const candidates = (facts.isOtherRepository ? [current] : history).filter((entry) =>
    isCandidate(facts, entry),
  );
  return candidates.filter(({ artifact }) => isApproved(approved, artifact));
}

/** True if the artifact can be deployed to the target and has the kind of source that the target requires. */
function isCandidate({ kind }: PromotionFacts, entry: VerifiedArtifact | undefined): entry is Candidate {
  return isPromotable(entry) && (kind === undefined || entry.source === kind);
}

function isAmbiguous(wanted: readonly Candidate[]): boolean {
  return new Set(wanted.map(({ artifact }) => artifact)).size > 1;
}

function ambiguity(
  { present }: PromotionFacts,
  { approved }: Approval,
  wanted: readonly Candidate[],
): string {
  const failed = present?.failed ?? [];
  const choices = wanted.filter((one) => !failed.some((source) => isSame(one, source)));
  const listed = choices.map(({ artifact }) => artifact).join(", ");
  return `${approved} is approved, but several verified artifacts start with it${listed && ` (${listed})`}: approve one of them in full`;
}

/** Returns the reason that a verified and approved artifact is not promoted yet. */
function hindranceOf(facts: PromotionFacts, next: Candidate): string | undefined {
  const { soakMs = 0 } = facts.gate;
  const soakedAt = Date.parse(next.verifiedAt) + soakMs;
  if (soakedAt > facts.now)
    return `can be promoted only after ${formatDuration(soakMs)}: run \`pulumi up\` after ${describeTime(soakedAt)}`;
  return closedWindow(facts);
}

function closedWindow({ gate: { window }, now }: PromotionFacts): string | undefined {
  if (!window || isOpen(window, now)) return undefined;
  return `is waiting for the window ${describeWindow(window)}: run \`pulumi up\` in that window`;
}

/** Returns the reason that another verified artifact is waiting, even though the target gets or keeps this source. */
function reasonAfter(facts: PromotionFacts, next: Source): string | undefined {
  const { current } = facts.verified;
  if (!facts.gate.approval || !isCandidate(facts, current) || isSame(current, next)) return undefined;
  return waitForApproval(facts, facts.gate.approval, current);
}

/** Returns the reason that a target is not replaced, even though the artifact that it serves is approved. */
function reasonToApproveOther(facts: PromotionFacts): string | undefined {
  if (!facts.gate.approval || !isReplaced(facts)) return undefined;
  return "approving the artifact that it already serves does not approve a replacement: approve another artifact, or remove `gate` for one update";
}

/** Returns the reason that no verified artifact is promoted; `undefined` if no artifact is waiting. */
function reasonToWait(facts: PromotionFacts): string | undefined {
  const { upstream, verified, gate } = facts;
  const { current, history } = verified;
  const kept = keptSource(facts);
  if (!gate.approval) {
    if (facts.isUpstreamAbsent) return `it waits for ${upstream}, which does not exist yet`;
    if (history.length === 0)
      return `${upstream} has not verified any artifact: run \`pulumi up\` for ${upstream}, with \`rollout.verify\``;
    if (!current)
      return `the revision that ${upstream} serves is not verified: run \`pulumi up\` for ${upstream}`;
    if (isPromotable(current)) return `${upstream} still serves a ${current.source} source`;
    return current.source === "internal_source"
      ? `${upstream} serves the contents of a folder, which cannot be promoted: use a commit or an image`
      : `the control plane does not report what revision ${current.revisionId} of ${upstream} was built from: set its sourceRevisionConfig to a full commit ID or to an image with its digest`;
  }
  const { approved } = gate.approval;
  const isPending = approved !== null && !(kept && isApproved(approved, kept.artifact));
  const isCut = history.length >= maxVerified;
  const pending = `${abbreviate(approved ?? "")} is approved, but ${isCut ? `is not among the last ${maxVerified} artifacts that ${upstream} has verified` : `${upstream} has not verified it`}`;
  const waits =
    isCandidate(facts, current) && !isSame(current, kept)
      ? waitForApproval(facts, gate.approval, current)
      : reasonToApproveOther(facts);
  if (!isPending) return waits;
  return waits === undefined
    ? `${pending}: run \`pulumi up\` again when ${upstream} has verified it`
    : `${pending}; ${waits}`;
}

function waitForApproval(facts: PromotionFacts, { toApprove }: Approval, next: Candidate): string {
  const verified = describeVerified(facts, next);
  const failure = facts.present?.failed.find((one) => isSame(next, one));
  if (failure)
    return failure.status === undefined
      ? `${verified}, but is not approved, and ${facts.target} has since been rolled back from it to an earlier artifact`
      : `${verified}, but is not approved and has failed in ${facts.target} (${failure.status})`;
  return `${verified} and is waiting for approval: ${toApprove(next.artifact)}`;
}

function describeVerified({ upstream }: Pick<PromotionFacts, "upstream">, one: Candidate): string {
  return `${abbreviate(one.artifact)} has been verified in ${upstream} since ${describeTime(Date.parse(one.verifiedAt))}`;
}

function describeTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
