import type { DeploymentInputs } from "../inputs";
import type { DeploymentOutputs } from "../state";

/** A deployment after the writes, and the revision that it now depends on. */
export interface Written {
  deploymentId: string;
  inputs: DeploymentInputs;
  /** The revision to keep in state, and to wait for if `wait` says so. */
  revisionId: string | undefined;
  /** Why that revision is not known although it was made. */
  unseen?: Error;
  wait: boolean;
  /** Whether that revision is this resource's own: only such a one is verified, or gone back from. */
  isOwn: boolean;
  /** The newest revision at the look before the change, where the change made one. */
  foundRevisionId?: string;
  /** Outputs of before, for what has not changed. */
  previous?: Partial<DeploymentOutputs>;
}
