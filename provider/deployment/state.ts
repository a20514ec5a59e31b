import type { DialectName } from "../control-plane/dialects";
import type { DeploymentInputs, SourceRevisionConfigInputs } from "./inputs";
import type { LastRollout } from "./plan/plan";

/** The revision that the last wait was about, once it settled. */
export interface SettledRevision {
  id: string;
  /** The final status word, for example `DEPLOYED` or `BUILD_FAILED`. */
  status: string;
  /** When the server made the revision; empty when it does not tell. */
  createdAt: string;
  /** When the provider saw the final status. */
  settledAt: string;
  /** It failed, and was somebody else's when the deployment was adopted: it is not repeated for that. */
  adopted?: true;
  /**
   * Revisions before this one that are DEPLOYED, but failed their verification: nothing to go back to. Kept until a
   * rollout succeeds.
   */
  unfit?: string[];
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

/** What the provider adds to the inputs. */
export interface DeploymentOutputs {
  /** Address of the deployment's agent server, once the server tells it. */
  url?: string;
  latestRevisionId: string;
  settledRevision?: SettledRevision;
  serving?: ServingRevision;
  controlPlane: ControlPlaneAddress;
  /** Mark by which this resource knows its own deployment again. */
  ownerId: string;
  /** Version of this shape. */
  schemaVersion: 1;
}

/** The resource's whole state: the inputs as accepted, and the outputs. */
export type DeploymentState = DeploymentInputs & DeploymentOutputs;

/** Hidden properties that travel with the inputs; the engine does not display names that start like this. */
export interface HiddenProps {
  __provider?: string;
  __urn?: string;
  /** The stack's organization. */
  __organization?: string;
  /** `opts.customTimeouts`, which never reaches a dynamic provider by itself. */
  __timeouts?: { create?: string; update?: string; delete?: string };
  /** Paths of inputs that the program marked as secret. */
  __secretPaths?: string[];
}

export type Props = Record<string, unknown>;

const outputKeys = [
  "url",
  "latestRevisionId",
  "settledRevision",
  "serving",
  "controlPlane",
  "ownerId",
  "schemaVersion",
];

/** The properties that a user wrote, without outputs and hidden ones. */
export function inputsIn(props: Props): DeploymentInputs {
  const written = Object.entries(props).filter(([key]) => !key.startsWith("__") && !outputKeys.includes(key));
  return Object.fromEntries(written) as unknown as DeploymentInputs;
}

/** The hidden properties alone. */
export function hiddenIn(props: Props): HiddenProps {
  return Object.fromEntries(Object.entries(props).filter(([key]) => key.startsWith("__"))) as HiddenProps;
}

/**
 * How the rollout that the state speaks of ended; one that a newer one replaced, or that failed before the deployment
 * was adopted, has nothing left to be done.
 */
export function lastRolloutOf(state: Pick<DeploymentOutputs, "settledRevision">): LastRollout {
  const { settledRevision: settled } = state;
  if (!settled) return "unsettled";
  return settled.status.includes("FAILED") && !settled.adopted ? "failed" : "deployed";
}
