import type { IntegrationSeed } from "../control-plane/integrations/seed";
import type { JournalEntry, JournalFilter } from "./journal/journal";
import type { Fault } from "./faults/faults";
import type { PastStatus } from "../control-plane/store/statuses";
import type { Quirks } from "../control-plane/quirks/quirks";
import type { SteeringPlan } from "./steering/plan";
import type { WireSecret, WireSourceRevisionConfig } from "../../wire";

/** Change to a deployment that is made outside the client under test. */
export interface ForeignPush {
  sourceRevisionConfig?: WireSourceRevisionConfig;
  secrets?: WireSecret[];
}

/** Token that was not created by an authentication flow. */
export interface TokenSeed {
  /** Name of the organization. Defaults to the first one. */
  organization?: string;
  userId: string;
  provider: string;
  scopes: string[];
  token: string;
  /**
   * Lifetime of the token, in seconds.
   * @default never expires
   */
  expiresInSeconds?: number;
}

/**
 * Actions that tests perform directly on a control plane, without a client. Deployments are specified by ID or name.
 */
export interface AdminLibrary {
  /** Injects a fault into the next matching requests. */
  fault(fault: Fault): void;
  clearFaults(): void;
  /** Changes how simulated rollouts proceed, including running ones. */
  steer(plan: SteeringPlan): void;
  /**
   * Immediately moves a running rollout to its next status, or to `status`. Resolves with the new status.
   *
   * @param revisionId - Revision to move. Defaults to the revision of the running rollout.
   */
  step(deployment: string, revisionId?: string, status?: string): Promise<string>;
  /** Sets the status of a revision to any value. A terminal status ends its rollout. */
  setStatus(
    deployment: string,
    revisionId: string | undefined,
    status: string,
    message?: string,
  ): Promise<void>;
  /** Returns the past statuses of a revision (by default, the latest one), oldest first. */
  statuses(deployment: string, revisionId?: string): PastStatus[];
  /** Simulates another client that creates a revision. Returns the ID of the revision. */
  pushRevision(deployment: string, change?: ForeignPush): string;
  /** Sets how long deleted deployments remain readable: first as AWAITING_DELETE, then as AWAITING_FINAL_DELETE. */
  lingerDeleted(seconds: number, finalSeconds?: number): void;
  /** Enables or disables quirks of the public service. */
  setQuirks(change: Partial<Quirks>): void;
  /** Creates a tracing project that reserves a name, by default in the first workspace. */
  leaveTracingProject(name: string, tenantId?: string): void;
  /** Returns the recorded requests, with secrets masked. */
  journal(filter?: JournalFilter): JournalEntry[];
  clearJournal(): void;
  seedToken(seed: TokenSeed): void;
  /** Simulates a user who completes a pending authentication at its `url`. */
  completeAuthentication(authId: string): void;
  /** Creates an integration, or updates the one with the same name. Returns its ID. */
  seedIntegration(seed: IntegrationSeed): string;
  removeIntegration(id: string): void;
  /**
   * Sets whether the workspaces of an organization can have listeners.
   *
   * @param organization - Name of the organization. Defaults to the first one.
   */
  setSelfHostedEnterprise(enabled: boolean, organization?: string): void;
  /**
   * Immediately processes a push to a branch. Returns the IDs of the created revisions.
   *
   * @param ref - Branch, such as `main` or `refs/heads/main`.
   * @param commit - Pushed commit. If omitted, it is read from the repository if repositories are polled; otherwise,
   * the push is accepted without a commit.
   */
  notifyPush(repoUrl: string, ref: string, commit?: string): Promise<string[]>;
  /** Advances virtual time by `ms`. */
  advance(ms: number): Promise<void>;
  /**
   * Resets the control plane to an empty state: no deployments, tokens, faults, rollout plans, or journal. Keeps the
   * keys and the port.
   */
  reset(): Promise<void>;
}
