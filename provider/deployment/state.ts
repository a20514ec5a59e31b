import type { DialectName } from "../control-plane/dialects";
import { dialectTables } from "../control-plane/wire";
import { makesFirstRevision } from "./first-revision";
import type { DeploymentInputs, SourceRevisionConfigInputs } from "./inputs";
import type { LastRollout } from "./plan/plan";

/** A revision whose rollout has not been seen to its end. */
interface AwaitedRevision {
  /** Empty where the control plane took the change, but did not say which revision it made. */
  id: string;
  /** Somebody else made it before the deployment was adopted: it is waited for, but not verified or rolled back. */
  adopted?: true;
  /** Where `id` is empty: the newest revision before the change; empty where there was none. */
  since?: string;
  /** Where `id` is empty: the change sent settings or secrets alone, so the revision has no source to be known by. */
  keepsSource?: true;
}

/** The revision that the last wait was about, once it settled. */
export interface SettledRevision {
  id: string;
  /** The final status word, for example `DEPLOYED` or `BUILD_FAILED`; `VERIFY_FAILED` for a failed verification. */
  status: string;
  /** When the server made the revision; empty when it does not say. */
  createdAt: string;
  /** When the provider saw the final status. */
  settledAt: string;
  /** It failed, and somebody else made it before the deployment was adopted: it is not repeated for that. */
  adopted?: true;
}

/** The revision that answers requests now, and the source that it was built from. */
export interface ServingRevision {
  revisionId: string;
  sourceRevisionConfig: SourceRevisionConfigInputs;
}

/** The control plane that holds the deployment. */
export interface ControlPlaneAddress {
  baseUrl: string;
  /** Empty where the key alone names the workspace. */
  tenantId: string;
  dialect: DialectName;
}

/** Version of the state's shape that this release writes. */
export const schemaVersion = 2 as const;

/** What the provider adds to the inputs. */
export interface DeploymentOutputs {
  /** Address of the deployment's agent server, once the server reports it. */
  url?: string;
  /** The newest revision that is known, whoever made it; empty while there is none. */
  latestRevisionId: string;
  /** There while the rollout of this resource's own last change has not settled. */
  awaitedRevision?: AwaitedRevision;
  settledRevision?: SettledRevision;
  /** The last revision of this resource that settled well: DEPLOYED, and verified where that was asked for. */
  goodRevisionId?: string;
  /** Revisions since then that are DEPLOYED but did not pass a verification: a rollback never goes back to them. */
  unverifiedRevisionIds?: string[];
  serving?: ServingRevision;
  controlPlane: ControlPlaneAddress;
  /** The ownership tag: by it this resource recognizes its own deployment. */
  ownerId: string;
  /**
   * Digests of inputs that are in force but too large for the way on which a failed operation hands its state to the
   * engine, by their paths.
   */
  omitted?: Record<string, string>;
  /** Version of this shape. */
  schemaVersion: 2;
}

/** The resource's whole state: the inputs as accepted, and the outputs. */
export type DeploymentState = DeploymentInputs & DeploymentOutputs;

/** Hidden properties that travel with the inputs; the engine does not display names that start like this. */
export interface HiddenProps {
  __provider?: string;
  __urn?: string;
  /** The stack's organization. */
  __organization?: string;
  /** Tells apart the backends in which stacks of the same name may be kept. */
  __backend?: string;
  /** `opts.customTimeouts`, which never reaches a dynamic provider by itself. */
  __timeouts?: { create?: string; update?: string; delete?: string };
  /** Paths of inputs that the program marked as secret. */
  __secretPaths?: string[];
}

export type Props = Record<string, unknown>;

const outputKeys = [
  "url",
  "latestRevisionId",
  "awaitedRevision",
  "settledRevision",
  "goodRevisionId",
  "unverifiedRevisionIds",
  "serving",
  "controlPlane",
  "ownerId",
  "omitted",
  "schemaVersion",
];

/** The properties that a user wrote, without outputs and hidden ones. */
export function inputsIn(props: Props): DeploymentInputs {
  const written = Object.entries(props).filter(([key]) => !key.startsWith("__") && !outputKeys.includes(key));
  return Object.fromEntries(written) as unknown as DeploymentInputs;
}

/** The hidden properties alone. */
export function hiddenIn(props: Props): HiddenProps {
  return Object.fromEntries(Object.entries(props).filter(([key]) => key.startsWith("__")));
}

/** Status, in state, of a revision that is DEPLOYED and is not what `rollout.verify` asks for. */
export const verifyFailed = "VERIFY_FAILED";

/** What earlier releases kept of a settled revision besides. */
interface FirstSettledRevision extends SettledRevision {
  unfit?: string[];
}

/** The state in properties that the engine kept, whichever release wrote them. */
export function stateIn(props: Props): DeploymentState {
  const state = props as unknown as DeploymentState;
  // Properties without a version are those of a resource that is read by its id alone, or a part of a state.
  return withSince((props["schemaVersion"] as number | undefined) === 1 ? fromFirstVersion(state) : state);
}

/** States of before kept the newest revision before the change as the newest one alone. */
function withSince(state: DeploymentState): DeploymentState {
  const { awaitedRevision: awaited, latestRevisionId: since } = state;
  if (awaited?.id !== "" || awaited.since !== undefined) return state;
  return { ...state, awaitedRevision: { ...awaited, since } };
}

/** The first version awaited the newest revision, if there was to be one, while none had settled, and knew of no good one. */
function fromFirstVersion(state: DeploymentState): DeploymentState {
  if (!state.settledRevision) {
    const { latestRevisionId: id, controlPlane, source } = state;
    const isAwaited = id !== "" || makesFirstRevision(dialectTables[controlPlane.dialect], source);
    return { ...state, ...(isAwaited && { awaitedRevision: { id } }), schemaVersion };
  }
  const { unfit = [], ...settledRevision } = state.settledRevision as FirstSettledRevision;
  const { id, status } = settledRevision;
  const unverified = status === verifyFailed ? [...unfit, id] : unfit;
  return {
    ...state,
    settledRevision,
    ...(status === "DEPLOYED" && { goodRevisionId: id }),
    ...(unverified.length > 0 && { unverifiedRevisionIds: unverified }),
    schemaVersion,
  };
}

/**
 * How the rollout that the state speaks of ended; one that a newer one replaced, or that failed before the deployment
 * was adopted, has nothing left to be done. A deployment may have no revision at all.
 */
export function lastRolloutOf(
  state: Pick<DeploymentOutputs, "awaitedRevision" | "settledRevision">,
): LastRollout {
  const { awaitedRevision, settledRevision: settled } = state;
  if (awaitedRevision) return "unsettled";
  if (!settled) return "none";
  return settled.status.includes("FAILED") && !settled.adopted ? "failed" : "deployed";
}
