import type { Clock } from "../../clock";
import { Database } from "../../storage/database";
import { Integrations } from "./integrations";
import { Listeners } from "./listeners";
import { AgentConnections } from "./agent-connections";
import { OAuthProviders } from "./oauth-providers";
import { OAuthTokens } from "./oauth-tokens";
import { Authentications } from "./authentications";
import { Deployments } from "./deployments";
import { WriteQueue } from "./write-queue";
import { Logs } from "./logs";
import { Revisions } from "./revisions";
import { prepareTables } from "./schema";
import { TrackedBranches } from "./tracked-branches";

/** Store for all data of the control plane. */
export class Store {
  readonly agentConnections: AgentConnections;
  readonly oauthProviders: OAuthProviders;
  readonly oauthTokens: OAuthTokens;
  readonly trackedBranches: TrackedBranches;
  readonly integrations: Integrations;
  readonly listeners: Listeners;
  readonly deployments: Deployments;
  readonly revisions: Revisions;
  readonly logs: Logs;
  readonly authentications: Authentications;
  readonly tracingProjects: TracingProjects;
  readonly #database: Database;
  readonly #writeQueue: WriteQueue;

  /**
   * @param file - Path of the database. If `undefined`, the database is in memory.
   * @param reportError - Called with the reason when writes are delayed or lost.
   */
  constructor(file: string | undefined, clock: Clock, reportError: (error: unknown) => void) {
    this.#database = new Database(file, prepareTables);
    this.#writeQueue = new WriteQueue(clock, reportError);
    this.agentConnections = new AgentConnections(this.#database, clock);
    this.oauthProviders = new OAuthProviders(this.#database, clock);
    this.oauthTokens = new OAuthTokens(this.#database, clock);
    this.trackedBranches = new TrackedBranches(this.#database);
    this.integrations = new Integrations(this.#database);
    this.listeners = new Listeners(this.#database, clock);
    this.deployments = new Deployments(this.#database, clock);
    this.revisions = new Revisions(this.#database, this.deployments);
    this.logs = new Logs(this.#database, clock, reportError);
    this.authentications = new Authentications(this.#database);
    this.tracingProjects = new TracingProjects(this.#database);
  }

  transaction<Result>(work: () => Result): Result {
    return this.#database.transaction(work);
  }

  /**
   * Executes a write that records an event, either immediately or as soon as the database is writable again.
   *
   * @param write - Reads the current state when it is executed.
   * @param signal - Cancels the write.
   * @returns true if the write was executed.
   */
  eventually(write: () => void, signal?: AbortSignal): Promise<boolean> {
    return this.#writeQueue.execute(() => this.transaction(write), signal);
  }

  setting(key: string): string | undefined {
    return this.#database.get<{ value: string }>("SELECT value FROM settings WHERE key = ?", key)?.value;
  }

  keepSetting(key: string, value: string): void {
    this.#database.run("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)", key, value);
  }

  /** Deletes everything in the store except the settings. */
  clear(): void {
    this.logs.flush();
    this.transaction(() => {
      for (const table of [
        "agent_connections",
        "oauth_tokens",
        "oauth_providers",
        "integrations",
        "installations",
        "listeners",
      ])
        this.#database.run(`DELETE FROM ${table}`);
      for (const table of ["logs", "revisions", "deployments", "authentications", "tracing_projects"])
        this.#database.run(`DELETE FROM ${table}`);
    });
  }

  close(): void {
    this.#writeQueue.close();
    this.logs.close();
    this.#database.close();
  }
}

/** Tracing projects that remain after their deployments were deleted. Each of them reserves a name. */
class TracingProjects {
  constructor(private readonly database: Database) {}

  holds(tenantId: string, name: string): boolean {
    const sql = "SELECT name FROM tracing_projects WHERE tenant_id = ? AND name = ?";
    return this.database.get(sql, tenantId, name) !== undefined;
  }

  keep(tenantId: string, name: string): void {
    this.database.run(
      "INSERT OR IGNORE INTO tracing_projects (tenant_id, name) VALUES (?, ?)",
      tenantId,
      name,
    );
  }

  remove(tenantId: string, name: string): void {
    this.database.run("DELETE FROM tracing_projects WHERE tenant_id = ? AND name = ?", tenantId, name);
  }
}
