import type { DeploymentInputs } from "../inputs/inputs";
import type { DeploymentState } from "../state";

/** The revision that a create or update rolls out. */
export interface AwaitedRevision {
  /** Missing if the control plane has not reported yet which revision it created. */
  id?: string;
  /** Reason that `id` is missing, if a request has determined it. */
  missingReason?: Error;
  /** True if another stack or user created the revision before the deployment was adopted. */
  adopted?: true;
  /** True if the change that created the revision did not send a source. */
  keepsSource?: true;
}

/** A deployment after all changes have been sent. */
export interface RolloutRequest {
  deploymentId: string;
  inputs: DeploymentInputs;
  /** The newest known revision; `undefined` as long as there is none. */
  latestRevisionId: string | undefined;
  /** `undefined` if no rollout is in progress. */
  awaited?: AwaitedRevision;
  /** True if the operation waits for the rollout. */
  wait: boolean;
  /** The newest revision before the change, if the change created one. */
  foundRevisionId?: string;
  /** All revisions that the change created. */
  ownRevisionIds?: readonly string[];
  /** Action of the operation, used in messages; "created" by default. */
  action?: "created" | "adopted" | "changed";
  /** Reason that a create could not write all inputs. In that case, `inputs` contains only those that were written. */
  unfinished?: Error;
  /** Previous outputs, for values that have not changed. */
  previous?: Partial<DeploymentState>;
}
