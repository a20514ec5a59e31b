import type { IntegrationSeed } from "../control-plane/integrations/seed";
import type { JournalEntry, JournalFilter } from "./journal/journal";
import type { Fault } from "./faults/faults";
import type { PastStatus } from "../control-plane/store/statuses";
import type { Traps } from "../control-plane/traps/traps";
import type { SteeringPlan } from "./steering/plan";
import type { WireSecret, WireSourceRevisionConfig } from "../../wire";

/** Change to a deployment that is made outside the client under test. */
export interface ForeignPush {
  sourceRevisionConfig?: WireSourceRevisionConfig;
  secrets?: WireSecret[];
}

/** A token that is there without a flow. */
export interface TokenSeed {
  /** Name of the organization; the first one if missing. */
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
  /** Makes the next matching requests fail. */
  fault(fault: Fault): void;
  clearFaults(): void;
  /** Says how simulated rollouts go, those under way included. */
  steer(plan: SteeringPlan): void;
  /**
   * Moves a rollout under way to its next status, or to `status`, now; resolves with the status it then has.
   *
   * @param revisionId - The rollout under way if missing.
   */
  step(deployment: string, revisionId?: string, status?: string): Promise<string>;
  /** Gives a revision any status; a verdict ends its rollout. */
  setStatus(
    deployment: string,
    revisionId: string | undefined,
    status: string,
    message?: string,
  ): Promise<void>;
  /** The statuses that a revision has had, oldest first; of the latest revision if none is named. */
  statuses(deployment: string, revisionId?: string): PastStatus[];
  /** Makes a revision as somebody else would; returns its id. */
  pushRevision(deployment: string, change?: ForeignPush): string;
  /** From now on deleted deployments stay readable for so long: as AWAITING_DELETE, then as AWAITING_FINAL_DELETE. */
  lingerDeleted(seconds: number, finalSeconds?: number): void;
  /** Switches traps of the real service on or off. */
  trap(change: Partial<Traps>): void;
  /** Makes a tracing project that holds a name; in the first workspace if none is given. */
  leaveTracingProject(name: string, tenantId?: string): void;
  /** The requests so far, secrets masked. */
  journal(filter?: JournalFilter): JournalEntry[];
  clearJournal(): void;
  seedToken(seed: TokenSeed): void;
  /** Does what the user does at a pending authentication's `url`. */
  completeAuthentication(authId: string): void;
  /** Makes an integration, or gives the one of that name what the seed says; returns its id. */
  seedIntegration(seed: IntegrationSeed): string;
  removeIntegration(id: string): void;
  /**
   * Says whether workspaces of an organization may have listeners.
   *
   * @param organization - Its name; the first one if missing.
   */
  setSelfHostedEnterprise(enabled: boolean, organization?: string): void;
  /**
   * Does at once what a push to a branch does; returns the ids of the revisions that it makes.
   *
   * @param ref - A branch, such as `main` or `refs/heads/main`.
   * @param commit - What was pushed. If missing, the repository is asked where repositories are watched; elsewhere the
   *   word is enough.
   */
  notifyPush(repoUrl: string, ref: string, commit?: string): Promise<string[]>;
  /** Moves virtual time on. */
  advance(ms: number): Promise<void>;
  /** Back to an empty control plane: no deployments, tokens, faults, steering or journal. Keys and port stay. */
  reset(): Promise<void>;
}
