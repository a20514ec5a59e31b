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

/** A token that exists without a flow. */
export interface TokenSeed {
  /** Name of the organization; by default the first one. */
  organization?: string;
  userId: string;
  provider: string;
  scopes: string[];
  token: string;
  /** @default never */
  expiresInSeconds?: number;
}

/** Actions of tests on a control plane that bypass its clients. Deployments are specified by id or name. */
export interface AdminLibrary {
  /** Injects a fault into the next matching requests. */
  fault(fault: Fault): void;
  clearFaults(): void;
  /** Sets the simulation of simulated rollouts, including running ones. */
  steer(plan: SteeringPlan): void;
  /**
   * Moves a running rollout to its next status, or to `status`, now; resolves with the resulting status.
   *
   * @param revisionId - By default the running rollout.
   */
  step(deployment: string, revisionId?: string, status?: string): Promise<string>;
  /** Sets any status of a revision; a verdict ends its rollout. */
  setStatus(
    deployment: string,
    revisionId: string | undefined,
    status: string,
    message?: string,
  ): Promise<void>;
  /** Returns the past statuses of a revision, oldest first; by default of the latest revision. */
  statuses(deployment: string, revisionId?: string): PastStatus[];
  /** Creates a revision as another client would; returns its id. */
  pushRevision(deployment: string, change?: ForeignPush): string;
  /** Sets how long deleted deployments stay readable: as AWAITING_DELETE, then as AWAITING_FINAL_DELETE. */
  lingerDeleted(seconds: number, finalSeconds?: number): void;
  /** Switches quirks of the real service on or off. */
  setQuirks(change: Partial<Quirks>): void;
  /** Creates a tracing project that reserves a name; by default in the first workspace. */
  leaveTracingProject(name: string, tenantId?: string): void;
  /** Returns the requests so far, with secrets masked. */
  journal(filter?: JournalFilter): JournalEntry[];
  clearJournal(): void;
  seedToken(seed: TokenSeed): void;
  /** Simulates the user at the `url` of a pending authentication. */
  completeAuthentication(authId: string): void;
  /** Creates an integration, or updates the one of that name from the seed; returns its id. */
  seedIntegration(seed: IntegrationSeed): string;
  removeIntegration(id: string): void;
  /**
   * Sets whether workspaces of an organization may have listeners.
   *
   * @param organization - Name of the organization; by default the first one.
   */
  setSelfHostedEnterprise(enabled: boolean, organization?: string): void;
  /**
   * Immediately handles a push to a branch; returns the ids of the created revisions.
   *
   * @param ref - A branch, such as `main` or `refs/heads/main`.
   * @param commit - Pushed commit. If missing, it is read from the repository if repositories are polled; otherwise the
   * push is accepted without one.
   */
  notifyPush(repoUrl: string, ref: string, commit?: string): Promise<string[]>;
  /** Advances virtual time. */
  advance(ms: number): Promise<void>;
  /** Resets to an empty control plane: no deployments, tokens, faults, steering or journal. Keys and port stay. */
  reset(): Promise<void>;
}
