import type { ConnectionInputs } from "../control-plane/connection-inputs";
import type { Identity } from "../deployment/inputs/identity";
import { AgentServerError } from "../errors";
import { type CheckFunction, type CheckOptions, describeCheck, runChecks } from "./checks";
import {
  describePlannedPromotion,
  decide,
  decideAfterFailedCheck,
  decideWithoutUpstream,
  type PromotionDecision,
  type PromotionFacts,
  promotionMessage,
  targetName,
  type TargetSources,
} from "./decide";
import { type CheckInputs, type GateInputs, type ProgramConfig, readGate } from "./gate";
import { redactor } from "../text/redact";
import { toSourceRevisionConfig } from "./source-config";
import { readVerified } from "./verified-value";
import { abbreviate, type Source } from "./artifact";

/** Deployment that receives the source, and the connection to its control plane if that is not the configured one. */
export interface PromotionTarget extends Identity {
  connection?: ConnectionInputs | undefined;
}

/** Arguments of a promotion. */
export interface PromotionArgs {
  /** The previous environment's `verified` output. */
  from?: unknown;
  /** Name of the previous environment in messages. */
  fromName?: string | undefined;
  /** Deployment that receives the source. */
  to: PromotionTarget;
  gate?: GateInputs | undefined;
}

/** Facts about a promotion that only a component with several environments knows. */
export type ComponentFacts = Pick<
  PromotionFacts,
  "kind" | "isOtherRepository" | "heldUpstream" | "isUpstreamAbsent" | "replacedFor"
>;

/** Values and functions that a promotion needs. */
export interface PromotionOptions extends CheckOptions, ComponentFacts {
  /** Returns the sources of the target's revisions; `undefined` if the target does not exist. */
  findTarget: (to: PromotionTarget) => Promise<TargetSources | undefined>;
  config: ProgramConfig;
  now: () => number;
  /** True in a preview, which does not run checks. */
  isPreview: boolean;
  /**
   * All checks, in the order in which they run; specified if some of them are functions in the program.
   * @default the checks of the gate
   */
  checks?: readonly (CheckInputs | CheckFunction)[] | undefined;
  /**
   * False in a preview in which the previous environment changes. The artifacts that it will verify are then unknown.
   */
  isUpstreamKnown?: boolean;
  /** True if the artifacts are secret, so that messages must not contain them. */
  isSecret?: boolean;
  /** Name of the target in messages; by default, the name of the deployment. */
  toName?: string;
  /** True if a target that the stack does not manage yet may wait for its first source, instead of causing an error. */
  mayBeAbsent?: boolean;
}

/** Result of a promotion. */
export interface Promotion extends Source {
  sourceRevisionConfig: ReturnType<typeof toSourceRevisionConfig>;
  /** Sentence that states what is waiting; undefined if nothing is waiting. */
  waiting?: string | undefined;
  /** True if a target in state keeps its source and the inputs that would require its replacement. */
  isKept?: boolean;
}

/** Result of a promotion if the stack does not manage the target and the target gets no source yet. */
export interface WaitingPromotion {
  waiting: string;
}

/**
 * Returns the source for the target, and reports what is waiting.
 * @returns `undefined` if the source depends on a change to the previous environment
 * @throws AgentServerError `bad_configuration` if nothing can be promoted and the target has no source
 */
export async function promote(
  args: PromotionArgs,
  { isSecret, toName, ...given }: PromotionOptions,
): Promise<Promotion | WaitingPromotion | undefined> {
  const { from, fromName = "the previous environment", to, gate = {} } = args;
  const facts: PromotionFacts = {
    target: toName ?? targetName(to),
    upstream: fromName,
    isUpstreamAbsent: given.isUpstreamAbsent,
    kind: given.kind,
    isOtherRepository: given.isOtherRepository,
    heldUpstream: given.heldUpstream,
    replacedFor: given.replacedFor,
    verified: readVerified(from),
    isHistoryUnknown: from === undefined && given.isUpstreamKnown === false,
    gate: readGate(gate, given.config),
    present: await given.findTarget(to),
    now: given.now(),
  };
  if (isSecret && facts.gate.approval)
    facts.gate.approval.toApprove = () => "approve it as specified in `gate`";
  const options = isSecret ? withoutArtifacts(facts, given) : given;
  const isKnown = options.isUpstreamKnown !== false;
  const checks = options.checks ?? gate.checks ?? [];
  const decision = isKnown
    ? await withChecks(facts, checks, decide(facts), options)
    : decideWithoutUpstream(facts);
  const { source, waiting, message = waiting, dependsOnUpstream } = decision;
  const isWaiting =
    !source &&
    !dependsOnUpstream &&
    (options.mayBeAbsent || (facts.heldUpstream ?? []).length > 0) &&
    (!facts.present || facts.present.isUnmanaged);
  if (!source && !dependsOnUpstream && !isWaiting)
    throw new AgentServerError("bad_configuration", options.redact(`Nothing can be promoted: ${waiting}`));
  if (message !== undefined) options.inform(promotionMessage(message));
  if (isWaiting) return { waiting: options.redact(waiting!) };
  if (!source) return undefined;
  return {
    ...source,
    sourceRevisionConfig: toSourceRevisionConfig(source),
    waiting,
    ...(given.replacedFor && { isKept: !decision.promotes }),
  };
}

/** Returns options with functions that redact the artifacts in all messages. */
function withoutArtifacts(
  { verified, present }: PromotionFacts,
  options: PromotionOptions,
): PromotionOptions {
  const { serving, rollingOut, state, failed = [] } = present ?? {};
  const inState = [state?.rolledOut, state?.declared];
  const sources = [...verified.history, serving, rollingOut, ...inState, ...failed];
  const artifacts = sources.flatMap((source) => source?.artifact ?? []);
  const redact = redactor([...artifacts, ...artifacts.map(abbreviate)]);
  return {
    ...options,
    redact: (text) => redact(options.redact(text)),
    inform: (text) => options.inform(redact(text)),
  };
}

/** Runs the checks of a promotion, and returns the resulting decision. A preview assumes that the checks succeed. */
async function withChecks(
  facts: PromotionFacts,
  checks: readonly (CheckInputs | CheckFunction)[],
  decision: PromotionDecision,
  options: PromotionOptions,
): Promise<PromotionDecision> {
  if (!decision.promotes || checks.length === 0) return decision;
  const source = decision.source!;
  if (!options.isPreview) {
    const problem = await runChecks(checks, source, options);
    return problem === undefined ? decision : decideAfterFailedCheck(facts, source, problem);
  }
  const names = checks.map((check) => describeCheck(check, options.redact)).join(", ");
  options.inform(promotionMessage(describePlannedPromotion(facts.target, source.artifact, names)));
  return decision;
}
