import type { DeploymentInputs } from "../inputs/inputs";
import type { DeploymentOutputs } from "../state";

/** The revision whose rollout a create or update depends on. */
export interface AwaitedRevision {
  /** Missing while the control plane has not said which revision it made. */
  id?: string;
  /** Why it is missing, where a look has shown that. */
  unseen?: Error;
  /** Somebody else made it before the deployment was adopted. */
  adopted?: true;
  /** The change that made it sent no source. */
  keepsSource?: true;
}

/** A deployment after the writes. */
export interface RolloutRequest {
  deploymentId: string;
  inputs: DeploymentInputs;
  /** The newest revision that is known; nothing while there is none. */
  latestRevisionId: string | undefined;
  /** Nothing where no rollout is under way. */
  awaited?: AwaitedRevision;
  /** Whether the operation waits for it. */
  wait: boolean;
  /** The newest revision at the look before the change, where the change made one. */
  foundRevisionId?: string;
  /** All revisions that the change made. */
  ownRevisionIds?: readonly string[];
  /** What the operation did, for messages; by default it created the deployment. */
  action?: "created" | "adopted" | "changed";
  /** Why a create could not write all that was asked for; `inputs` are without it. */
  unfinished?: Error;
  /** Outputs of before, for what has not changed. */
  previous?: Partial<DeploymentOutputs>;
}
