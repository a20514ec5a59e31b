import type { DeploymentInputs } from "../inputs/inputs";
import type { DeploymentState } from "../state";

/** The revision that a create or update rolls out. */
export interface AwaitedRevision {
  /** ID of the revision; missing if the control plane has not reported yet which revision it created. */
  id?: string;
  /** Reason that `id` is missing, if a request has determined it. */
  missingReason?: Error;
  /** True if another stack or user created the revision before the deployment was adopted. */
  adopted?: true;
  /** True if the change that created the revision did not send a source. */
  keepsSource?: true;
}

/** Rollout of a deployment after all changes have been sent. */
export interface RolloutRequest {
  deploymentId: string;
  inputs: DeploymentInputs;
  /** ID of the newest known revision; `undefined` as long as there is none. */
  latestRevisionId: string | undefined;
  /** Revision that is being rolled out; `undefined` if no rollout is in progress. */
  awaited?: AwaitedRevision;
  /** True if the operation waits for the rollout. */
  wait: boolean;
  /** ID of the newest revision before the change, if the change created a revision. */
  foundRevisionId?: string;
  /** IDs of all revisions that the change created. */
  ownRevisionIds?: readonly string[];
  /** Action of the operation, used in messages; "created" by default. */
  action?: "created" | "adopted" | "changed";
  /** Reason that a create could not write all inputs. If it is set, `inputs` contains only those that were written. */
  unfinished?: Error;
  /** Outputs in the previous state, from which values that have not changed are copied. */
  previous?: Partial<DeploymentState>;
}
