import type { WireSecret, WireSourceConfig, WireSourceRevisionConfig } from "../../../wire";
import type { Database } from "../../storage/database";
import type { Deployments } from "./deployments";
import { noteRuntime, runtimeOf } from "./runtimes";
import { noteStatus, type PastStatus, statusesOf } from "./statuses";

/** Phase of a revision's rollout, independent of its status. */
type RolloutPhase = "waiting" | "rolling" | "ended";

/** A revision as stored, with the settings that it was created from. */
export interface StoredRevision {
  id: string;
  deploymentId: string;
  status: string;
  statusMessage: string | null;
  phase: RolloutPhase;
  sourceConfig: WireSourceConfig;
  sourceRevisionConfig: WireSourceRevisionConfig;
  secrets: WireSecret[];
  resolvedCommit: string | null;
  createdAt: number;
  updatedAt: number;
}

interface Row {
  id: string;
  deployment_id: string;
  status: string;
  status_message: string | null;
  phase: string;
  source_config: string;
  source_revision_config: string;
  secrets: string;
  resolved_commit: string | null;
  created_at: number;
  updated_at: number;
}

/** Access to the table of revisions. */
export class Revisions {
  constructor(
    private readonly database: Database,
    private readonly deployments: Deployments,
  ) {}

  find(id: string): StoredRevision | undefined {
    return stored(this.database.get<Row>("SELECT * FROM revisions WHERE id = ?", id));
  }

  /** Returns the newest revision of a deployment. */
  latest(deploymentId: string): StoredRevision | undefined {
    return this.page(deploymentId, 1, 0)[0];
  }

  /**
   * Returns one page of a deployment's revisions, newest first.
   *
   * @param statuses - Includes only revisions with one of these statuses.
   */
  page(deploymentId: string, limit: number, offset: number, statuses?: readonly string[]): StoredRevision[] {
    const wanted = statuses ? JSON.stringify(statuses) : null;
    const sql = `SELECT * FROM revisions WHERE deployment_id = ?
      AND (? IS NULL OR status IN (SELECT value FROM json_each(?))) ORDER BY sequence DESC LIMIT ? OFFSET ?`;
    return this.database
      .all<Row>(sql, deploymentId, wanted, wanted, limit, offset)
      .map((row) => stored(row)!);
  }

  /** True if a revision of the deployment was created from this upload. */
  isMadeOf(deploymentId: string, sourceTarballPath: string): boolean {
    const sql = `SELECT 1 FROM revisions WHERE deployment_id = ?
      AND json_extract(source_revision_config, '$.source_tarball_path') = ?`;
    return this.database.get(sql, deploymentId, sourceTarballPath) !== undefined;
  }

  /** Returns the deployment's revisions whose rollout has not ended, oldest first. */
  unfinished(deploymentId: string): StoredRevision[] {
    const sql = "SELECT * FROM revisions WHERE deployment_id = ? AND phase <> 'ended' ORDER BY sequence";
    return this.database.all<Row>(sql, deploymentId).map((row) => stored(row)!);
  }

  insert(
    made: Pick<
      StoredRevision,
      "id" | "deploymentId" | "sourceConfig" | "sourceRevisionConfig" | "secrets" | "resolvedCommit"
    >,
  ): void {
    const now = this.deployments.tick(made.deploymentId);
    this.database.run(
      `INSERT INTO revisions (id, deployment_id, status, phase, source_config, source_revision_config, secrets,
       resolved_commit, created_at, updated_at) VALUES (?, ?, 'CREATING', 'waiting', ?, ?, ?, ?, ?, ?)`,
      made.id,
      made.deploymentId,
      JSON.stringify(made.sourceConfig),
      JSON.stringify(made.sourceRevisionConfig),
      JSON.stringify(made.secrets),
      made.resolvedCommit,
      now,
      now,
    );
    noteStatus(this.database, made.id, "CREATING", now);
  }

  /** Writes the progress of a revision's rollout. */
  update(revision: StoredRevision): void {
    const now = this.deployments.tick(revision.deploymentId);
    this.database.run(
      "UPDATE revisions SET status = ?, status_message = ?, phase = ?, resolved_commit = ?, updated_at = ? WHERE id = ?",
      revision.status,
      revision.statusMessage,
      revision.phase,
      revision.resolvedCommit,
      now,
      revision.id,
    );
    noteStatus(this.database, revision.id, revision.status, now);
  }

  /** Records the runtime of the revision. */
  noteRuntime(id: string, name: string): void {
    noteRuntime(this.database, id, name);
  }

  /** Returns the runtime of the revision, or `undefined` if it is unknown. */
  runtime(id: string): string | undefined {
    return runtimeOf(this.database, id);
  }

  /** Returns the past statuses of a revision, oldest first. */
  statuses(id: string): PastStatus[] {
    return statusesOf(this.database, id);
  }
}

function stored(row: Row | undefined): StoredRevision | undefined {
  if (!row) return undefined;
  return {
    id: row.id,
    deploymentId: row.deployment_id,
    status: row.status,
    statusMessage: row.status_message,
    phase: row.phase as RolloutPhase,
    sourceConfig: JSON.parse(row.source_config) as StoredRevision["sourceConfig"],
    sourceRevisionConfig: JSON.parse(row.source_revision_config) as StoredRevision["sourceRevisionConfig"],
    secrets: JSON.parse(row.secrets) as StoredRevision["secrets"],
    resolvedCommit: row.resolved_commit,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
