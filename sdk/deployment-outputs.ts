/** Revision that has reached a final status. */
export interface SettledRevision {
  /** ID of the revision. */
  id: string;
  /** Final status, such as `DEPLOYED` or `BUILD_FAILED`; `VERIFY_FAILED` if the verification failed. */
  status: string;
  /** Time at which the control plane created the revision; empty if the control plane does not report the time. */
  createdAt: string;
  /** Time at which the final status was observed. */
  settledAt: string;
  /**
   * True if the revision failed and another stack or user created it before the deployment was adopted. Such a rollout
   * is not retried.
   */
  adopted?: true;
}

/** Revision whose rollout is not known to have finished. */
export interface AwaitedRevision {
  /** ID of the revision; empty if the control plane accepted the change without reporting the revision. */
  id: string;
  /**
   * True if another stack or user created the revision before the deployment was adopted. The update waits for it, but
   * does not verify it or roll it back.
   */
  adopted?: true;
  /** ID of the newest revision before the change, if `id` is empty; an empty string if there was none. */
  since?: string;
  /**
   * True if `id` is empty and the change sent only settings or secrets, so that the revision cannot be identified by
   * its source.
   */
  keepsSource?: true;
}

/** Revision that serves requests. */
export interface ServingRevision {
  /** ID of the revision. */
  revisionId: string;
  /** Source of the revision. */
  sourceRevisionConfig: {
    /** Commit; branch or tag if the control plane does not report the commit. */
    repoRef?: string;
    /** Path of the graph configuration file. */
    graphConfigPath?: string;
    /** Container image. */
    imageUri?: string;
  };
}

/** Checks that a revision has passed. */
export interface VerifiedChecks {
  /** True if `GET /ok` was checked. */
  ok: boolean;
  /** Graph whose assistant was found. */
  graph?: string;
  /** True if a run of the graph succeeded. */
  run: boolean;
  /** Fraction of the evaluation's cases that passed, between 0 and 1; undefined without an evaluation. */
  evaluation?: number;
}

/** Artifact that has passed `rollout.verify`. */
export interface VerifiedArtifact {
  /** Kind of source, such as `github`. */
  source: string;
  /**
   * Full commit, image with its digest, or hash of the contents of a folder; undefined if the control plane does not
   * report which artifact it deployed, for example the commit of a branch.
   */
  artifact?: string;
  /** Path of the graph configuration file. */
  graphConfigPath?: string;
  /** Newest revision that serves or has served the artifact after verification. */
  revisionId: string;
  /** Time at which the artifact was first verified. */
  verifiedAt: string;
  /** Results of the last verification, which also checked that the URL serves the revision. */
  verification: VerifiedChecks;
}

/** Artifacts that a deployment has verified. */
export interface VerifiedArtifacts {
  /** Entry for the revision that serves requests; undefined if that revision has not been verified. */
  current?: VerifiedArtifact;
  /** Last 20 verified artifacts, newest first; each artifact is listed once. */
  history: VerifiedArtifact[];
}

/** Control plane of a deployment. */
export interface ControlPlaneAddress {
  /** URL of the control plane. */
  baseUrl: string;
  /** ID of the workspace; empty if the key belongs to a single workspace. */
  tenantId: string;
  /** Dialect of the control plane's API. */
  dialect: string;
}
