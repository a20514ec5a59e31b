import * as pulumi from "@pulumi/pulumi";
import { valueIfKnown } from "../known-value";
import type { DeploymentInState } from "../components/held-inputs";
import type { VerifiedArtifacts } from "../deployment-outputs";
import type { OtherControlPlane } from "../other-control-plane";
import { AgentServerError } from "../../provider/errors";
import { isPromotable } from "../../provider/promotion/artifact";
import type { TargetSources } from "../../provider/promotion/decide";
import { sourceOf, targetSources } from "../../provider/promotion/target";
import { failWith, printedAlone } from "./keep-alive";
import { requireValid, run, runFor } from "./run";

/** Day of the week. */
export type PromotionDay = "Sun" | "Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat";

/** Period in which promotions are allowed. */
export interface PromotionWindow {
  /** Days on which the window starts: `Mon`, `Tue`, … @default every day */
  days?: PromotionDay[];
  /** Start time, such as `09:00`. */
  from: string;
  /** End time, such as `17:00`. If it is earlier than the start time, the window ends on the next day. */
  to: string;
  /** IANA time zone, such as `Europe/Berlin`. */
  timeZone: string;
}

/** Check that must succeed before a promotion: a command or a request. */
export interface PromotionCheck {
  /**
   * Command with its arguments, run without a shell in the folder of the Pulumi program; its exit code must be 0. The
   * `AGENTSERVER_PROMOTED_ARTIFACT` variable contains the commit or image.
   */
  command?: string[];
  /** URL that must respond to a `GET` request with a status from 200 to 299. */
  url?: string;
  /** Time limit, such as `5m`; at most 24 hours. @default "5m" */
  timeout?: string;
}

/** Source of a revision. */
export interface PromotedSource {
  /** Kind of source, such as `github`. */
  source: string;
  /** Commit, or image with its digest. */
  artifact: string;
  /** Path of the graph configuration file. */
  graphConfigPath?: string;
}

/**
 * Function in the program that must succeed before a promotion. It fails if it throws or returns `false`. A returned
 * string is logged.
 */
export type PromotionCheckFunction = (source: PromotedSource) => unknown;

/** Conditions for a promotion. All specified conditions must be met. */
export interface PromotionGate {
  /**
   * Approved commit (at least its first seven digits), image with its digest, or digest; an empty string if nothing is
   * approved yet (in TypeScript, also `null`). In other languages, an omitted value or `null` requires no approval. Any of
   * the last 20 artifacts that the previous environment has verified can be approved.
   */
  approved?: string | null;
  /**
   * Configuration key that contains the approved commit, image, or digest. If a program in a language other than
   * TypeScript calls `promote`, the key is in the `agentserver` namespace.
   */
  approvedFrom?: string;
  /** Minimum time since the verification, such as `2h` or `7d`; at most 30 days. */
  soak?: string;
  /** Period in which promotions are allowed. */
  window?: PromotionWindow;
  /**
   * Checks that must succeed, run in order during an update if all other conditions are met. Previews do not run them.
   */
  checks?: PromotionCheck[];
}

/** Conditions for a promotion in a program. In addition to commands and requests, functions can be used as checks. */
export interface PromotionGateArgs extends Omit<PromotionGate, "checks"> {
  /** Checks that must succeed, run in order during an update. Previews do not run them. */
  checks?: (PromotionCheck | PromotionCheckFunction)[];
}

/** Target of a promotion; exactly one of `name` and `agent` is required. */
export interface PromotionTarget {
  /** Exact name of the deployment. */
  name?: string;
  /** Agent and environment of the deployment. */
  agent?: { agentId: string; environment: "development" | "staging" | "production" };
  /** Control plane of the deployment. @default the one in the `agentserver` configuration */
  connection?: OtherControlPlane;
}

/** Arguments of `promote`. */
export interface PromoteArgs {
  /** `verified` output of the previous environment: from a resource, another stack, or `getDeployment`. */
  from: pulumi.Input<VerifiedArtifacts | undefined>;
  /** Name of the previous environment, used in messages. @default "the previous environment" */
  fromName?: string;
  /** Deployment that receives the source. It does not have to exist yet. */
  to: PromotionTarget;
  /** Conditions for the promotion. By default, the artifact that the previous environment serves is promoted. */
  gate?: PromotionGateArgs;
}

/** Source for the next environment. */
export interface PromoteResult extends PromotedSource {
  /** Source, in the format of the `sourceRevisionConfig` argument of a `Deployment`. */
  sourceRevisionConfig: {
    /** Commit, if the source is `github`. */
    repoRef?: string;
    /** Image with its digest, for other sources. */
    imageUri?: string;
    /** Path of the graph configuration file. */
    graphConfigPath?: string;
  };
  /** Sentence that states what is waiting, why, since when, and how to proceed; undefined if nothing is waiting. */
  waiting?: string;
}

/**
 * Returns the source for the next environment: an artifact that the previous environment has verified and that passes
 * the gate. If there is none, returns the current source of the deployment. Previews and updates log what is waiting.
 * Fails if nothing can be promoted and the deployment does not exist yet.
 *
 * @example
 * const staging = new pulumi.StackReference("acme/support/staging");
 * const promotion = promote({
 *   from: staging.getOutput("verified"),
 *   fromName: "staging",
 *   to: { name: "support-agent" },
 *   gate: { approvedFrom: "approved", soak: "2h" },
 * });
 * new Deployment("agent", { name: "support-agent", sourceRevisionConfig: promotion.sourceRevisionConfig, … });
 */
export function promote(args: PromoteArgs): pulumi.Output<PromoteResult> {
  return promoteIn({}, args) as pulumi.Output<PromoteResult>;
}

/** Result for a deployment that does not exist and for which no source can be promoted yet. */
type WaitingPromotion = Required<Pick<PromoteResult, "waiting">>;

/** Context of a promotion in a component. */
interface ComponentContext {
  /** Component that messages are logged for. */
  component?: pulumi.Resource;
  /** Name of the component in errors. */
  title?: string;
  /** Name of the target in messages; by default, the name of the deployment. */
  toName?: string;
  /** Target in the state of the stack. If set, the target counts as existing, even if the server does not list it. */
  inState?: DeploymentInState | undefined;
  /** Artifacts that the previous environment has verified, as recorded in the state of the stack. */
  upstreamInState?: VerifiedArtifacts;
  /** Kind of source that the target is to receive. */
  kind?: string;
  /** True if the repository of the target changed. */
  isOtherRepository?: boolean;
  /** Paths of the changed inputs that the previous environment does not get yet. */
  heldUpstream?: readonly string[];
  /** Changed inputs that require a replacement of the target in state. */
  replacedFor?: readonly string[] | undefined;
  /** True if a target that does not exist may wait for its first source. */
  mayBeAbsent?: boolean;
  /** True if the previous environment is waiting for its own first promotion. */
  isUpstreamAbsent?: boolean;
  /** True if the source in the program is secret. State does not show which values are secret. */
  isSecretSource?: Promise<boolean>;
}

/**
 * Returns the result of `promote` in a component, or the reason that no source can be promoted to a target that does
 * not exist.
 */
export function promoteIn(
  { title, inState, upstreamInState, isSecretSource, ...context }: ComponentContext,
  { from, gate, ...others }: PromoteArgs,
): pulumi.Output<PromoteResult | WaitingPromotion> {
  const { component } = context;
  const inputs = withoutFunctions(gate);
  if (inputs && "approved" in inputs && inputs.approved === undefined)
    throw new Error("promote: gate.approved is undefined; use null if nothing is approved yet.");
  const given = { ...others, from: undefined, gate: inputs };
  requireValid("promote", given);
  const inProgram = {
    ...context,
    checks: gate?.checks?.map((check) => (typeof check === "function" ? observed(check) : check)),
    ...(component && { findTarget: (target: PromotionTarget) => findTarget(component, target, inState) }),
  };
  const runNamed = (value: unknown, options: object) =>
    run("promote", { ...given, from: value }, { ...inProgram, ...options }).catch((error: unknown) => {
      throw printedAlone(title === undefined ? error : named(title, error));
    });
  const upstream = pulumi.output(from);
  const isSecret = Promise.all([pulumi.isSecret(upstream), isSecretSource]).then((some) =>
    some.includes(true),
  );
  const promoted = pulumi
    .all([upstream, isSecret])
    .apply(([value, secret]) => runNamed(value, { isSecret: secret }));
  // If the source stays the same regardless of what the previous environment verifies, it is known in every preview.
  const kept = isKnown(upstream).then(async (known) =>
    known ? undefined : runNamed(upstreamInState, { isUpstreamKnown: false, isSecret: await isSecret }),
  );
  const found = pulumi.output(kept).apply((one) => one ?? promoted);
  const result = pulumi.output(isSecret).apply((secret) => (secret ? pulumi.secret(found) : found));
  void failWith(valueIfKnown(result));
  return result as pulumi.Output<PromoteResult | WaitingPromotion>;
}

/** Adds the name of a component to an error. */
function named(title: string, error: unknown): unknown {
  if (!AgentServerError.is(error)) return error;
  return new AgentServerError(error.code, `${title}: ${error.message}`, error.facts, { cause: error });
}

/**
 * Finds the revisions of a component's deployment; `undefined` if the deployment does not exist. A deployment in the
 * stack's state counts as existing, even if the server does not list it.
 */
async function findTarget(
  component: pulumi.Resource,
  target: PromotionTarget,
  inState: DeploymentInState | undefined,
): Promise<TargetSources | undefined> {
  // The control plane is the same, but the program may get its key from a different place than the one in state.
  const name = inState?.name ?? target.name;
  const { connection } = target;
  const place = connection && { connection };
  const { deployments } = await runFor(component, "getDeployments", {
    filters: { nameContains: name! },
    ...place,
  });
  const found = deployments.find((one) => one.name === name);
  const { revisions } = found
    ? await runFor(component, "getRevisions", { deploymentId: found.id, ...place })
    : { revisions: [] };
  const sources = found && targetSources(found, revisions);
  if (!inState) return sources && { ...sources, isUnmanaged: true };
  return {
    failed: [],
    ...sources,
    state: {
      rolledOut: inState.rolledOut,
      verified: inState.verified?.history.find(isPromotable),
      declared: sourceOf(inState.source, inState.sourceRevisionConfig ?? {}),
    },
  };
}

/**
 * Wraps a check function: resolves an output that it returns, and fails if the program throws outside the function, for
 * example in a callback. In that case, the promise of the check itself would never settle.
 */
function observed(check: PromotionCheckFunction): PromotionCheckFunction {
  const run = async (source: PromotedSource) => {
    let fail: (error: unknown) => void = () => {};
    const uncaught = new Promise<never>((_, reject) => (fail = reject));
    process.on("uncaughtExceptionMonitor", fail);
    try {
      const returned = await Promise.race([Promise.resolve(check(source)), uncaught]);
      if (!pulumi.Output.isInstance(returned)) return returned;
      const known = await Promise.race([valueIfKnown(returned), uncaught]);
      if (!known) throw new Error("its result is unknown");
      return known.value;
    } finally {
      process.off("uncaughtExceptionMonitor", fail);
    }
  };
  return Object.defineProperty(run, "name", { value: check.name });
}

/**
 * Returns the conditions of a gate that the provider evaluates: all except functions. Returns `undefined` if there are
 * none.
 */
export function withoutFunctions(gate: PromotionGateArgs | undefined): PromotionGate | undefined {
  if (!gate?.checks?.some((check) => typeof check === "function")) return gate as PromotionGate | undefined;
  const { checks, ...others } = gate;
  const evaluated = checks.filter((check) => typeof check !== "function");
  if (evaluated.length > 0) return { ...others, checks: evaluated };
  return Object.values<unknown>(others).some((condition) => condition !== undefined) ? others : undefined;
}

/** True if the value is known during this preview, or if resolving it is known to fail. */
async function isKnown(value: pulumi.Output<unknown>): Promise<boolean> {
  return valueIfKnown(value).then(
    (known) => known !== undefined,
    () => true,
  );
}
